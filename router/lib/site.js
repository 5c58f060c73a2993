/** Loads the modules of a page. */
export async function loadModules(page) {
    const [module, layouts] = await Promise.all([page.load(), Promise.all(page.layouts.map((load) => load()))]);
    return { page, module, layouts: layouts.map((layout) => layout.default) };
}
