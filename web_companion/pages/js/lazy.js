// @ts-check
// Parts of a page that most phones never need are loaded when they are first drawn, so that a first load stays light.

const AGAIN_AFTER = 2000; // ms, when the line was down

/**
 * What `load` brings, or null until it has come; then `changed` is called. The line may be down: it is tried again.
 * @template T @param {() => Promise<T>} load @returns {(changed: () => void) => T | null}
 */
export function lazily(load) {
  /** @type {T | null} */
  let part = null;
  let asked = false;
  const fetched = async (/** @type {() => void} */ changed) => {
    try {
      part = await load();
      changed();
    } catch (error) {
      if (!(error instanceof TypeError)) throw error;
      setTimeout(() => void fetched(changed), AGAIN_AFTER);
    }
  };
  return (changed) => {
    if (!asked) void fetched(changed);
    asked = true;
    return part;
  };
}
