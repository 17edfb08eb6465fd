// @ts-check
// The keyed update of every page: a tree of plain values is compared with the document and only differences are
// written, so that focus, selection, scroll and running animations survive. It knows nothing of the game.

/**
 * @typedef {{tag: string, key: string | undefined, props: Props, children: VNode[]} | string} VNode
 * @typedef {VNode | number | null | undefined | false | any[]} Child   (any[]: of Child)
 * @typedef {Record<string, any> & {key?: string | number, vars?: Record<string, string | number>,
 *   mounted?: (element: any) => void}} Props
 */

const SVG = "http://www.w3.org/2000/svg";
const PROPERTIES = new Set(["value", "checked", "selected", "disabled", "hidden", "open"]);
const NOT_WRITTEN = new Set(["key", "mounted", "vars"]);

/** What each node was last made from. @type {WeakMap<Node, VNode>} */
const made = new WeakMap();

/**
 * One element of the tree. `class`, attributes, `onclick` and the like, `vars` (CSS custom properties), `mounted`
 * (called once with the element).
 * @param {string} tag @param {Props | null} [props] @param {...Child} children @returns {Exclude<VNode, string>}
 */
export function h(tag, props, ...children) {
  const given = props ?? {};
  return { tag, key: given.key === undefined ? undefined : String(given.key), props: given, children: flat(children) };
}

/** @param {Child[]} children @returns {VNode[]} */
function flat(children) {
  /** @type {VNode[]} */
  const all = [];
  for (const child of children) {
    if (Array.isArray(child)) all.push(...flat(child));
    else if (child !== null && child !== undefined && child !== false) {
      all.push(typeof child === "number" ? String(child) : child);
    }
  }
  return all;
}

/** @param {VNode} vnode @param {Map<string, number>} seen */
function identity(vnode, seen) {
  const kind = typeof vnode === "string" ? "#" : vnode.tag;
  if (typeof vnode !== "string" && vnode.key !== undefined) return `${kind} ${vnode.key}`;
  const count = seen.get(kind) ?? 0;
  seen.set(kind, count + 1);
  return `${kind}#${count}`;
}

/** Make the children of `parent` be `children`, reusing every node that can be. @param {Element} parent
 * @param {Child[]} children */
export function patch(parent, children) {
  const wanted = flat(children);
  const old = [...parent.childNodes];
  /** @type {Map<string, number>} */
  const places = new Map();
  let seen = new Map();
  old.forEach((node, place) => {
    const vnode = made.get(node);
    if (vnode !== undefined) places.set(identity(vnode, seen), place);
  });
  seen = new Map();
  const from = wanted.map((vnode) => places.get(identity(vnode, seen)) ?? -1);
  const nodes = wanted.map((vnode, i) => (from[i] < 0 ? create(vnode, parent) : old[from[i]]));
  const kept = new Set(from);
  // Nodes that are not ours (a bubble over a sheet, something the browser put there) are left alone.
  old.forEach((node, place) => kept.has(place) || !made.has(node) || node.remove());
  arrange(parent, nodes, from);
  wanted.forEach((vnode, i) => {
    update(nodes[i], vnode);
    if (from[i] < 0 && typeof vnode !== "string") vnode.props.mounted?.(nodes[i]);
  });
}

/** Put `nodes` in order, moving as few as can be and never the one with the focus. @param {Element} parent
 * @param {ChildNode[]} nodes @param {number[]} from */
function arrange(parent, nodes, from) {
  const focus = nodes.findIndex((node, i) => from[i] >= 0 && node.contains(document.activeElement));
  const still = longestRun(from, focus);
  /** @type {ChildNode | null} */
  let next = null;
  for (let i = nodes.length - 1; i >= 0; i--) {
    if (!still.has(i) && (nodes[i].parentNode !== parent || nodes[i].nextSibling !== next)) {
      parent.insertBefore(nodes[i], next);
    }
    next = nodes[i];
  }
}

/** The places of a longest rising run in `from`, through the place `fixed` when it is one. @param {number[]} from
 * @param {number} fixed */
function longestRun(from, fixed) {
  /** @type {number[]} */
  const length = [];
  /** @type {number[]} */
  const before = [];
  let best = -1;
  from.forEach((place, i) => {
    length[i] = 0;
    before[i] = -1;
    const crosses = fixed >= 0 && i !== fixed && i < fixed !== place < from[fixed];
    if (place < 0 || crosses) return;
    for (let j = 0; j < i; j++) {
      if (length[j] && from[j] < place && length[j] > length[i]) [length[i], before[i]] = [length[j], j];
    }
    length[i] += 1;
    if (best < 0 || length[i] > length[best]) best = i;
  });
  const run = new Set();
  for (; best >= 0; best = before[best]) run.add(best);
  return run;
}

/** @param {VNode} vnode @param {Element} parent @returns {ChildNode} */
function create(vnode, parent) {
  if (typeof vnode === "string") return document.createTextNode(vnode);
  const inSvg = vnode.tag === "svg" || (parent.namespaceURI === SVG && parent.tagName !== "foreignObject");
  return inSvg ? document.createElementNS(SVG, vnode.tag) : document.createElement(vnode.tag);
}

/** @param {ChildNode} node @param {VNode} vnode */
function update(node, vnode) {
  const before = made.get(node);
  made.set(node, vnode);
  if (typeof vnode === "string") {
    if (before !== vnode) node.textContent = vnode;
    return;
  }
  const element = /** @type {HTMLElement} */ (node);
  const was = typeof before === "object" ? before.props : {};
  for (const name of Object.keys(was)) if (!(name in vnode.props)) write(element, name, undefined);
  for (const [name, value] of Object.entries(vnode.props)) {
    const typed = name === "value" && before !== undefined && /** @type {any} */ (element).value !== (was.value ?? "");
    if (value !== was[name] && !typed) write(element, name, value); // what somebody is typing is theirs
  }
  for (const [name, value] of Object.entries(vnode.props.vars ?? {})) {
    if (String(value) !== String(was.vars?.[name])) element.style.setProperty(name, String(value));
  }
  patch(element, vnode.children);
}

/** @param {HTMLElement} element @param {string} name @param {any} value */
function write(element, name, value) {
  if (NOT_WRITTEN.has(name)) return;
  if (name.startsWith("on")) /** @type {any} */ (element)[name] = value ?? null;
  else if (PROPERTIES.has(name) && name in element) /** @type {any} */ (element)[name] = value ?? (name === "value" ? "" : false);
  else if (value === undefined || value === null || value === false) element.removeAttribute(name);
  else element.setAttribute(name, value === true ? "" : String(value));
}
