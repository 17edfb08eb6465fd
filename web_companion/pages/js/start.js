// @ts-check
// The first script of every page: loads the texts of this phone's language, and only then the page's own script, which
// may use them from its first line. (No `await` at the top of a module that others import: Safari gets that wrong,
// WebKit bug 242740.)

import { ownLanguage } from "./language.js";
import { speak } from "./texts.js";

const page = /** @type {HTMLLinkElement} */ (document.querySelector("link[rel=modulepreload]"));

void speak(ownLanguage()).then(() => import(page.href));
