/** The files of a screen did not arrive: the server is away, or has another version of the console. */
export class MissingFiles extends Error {}

/**
 * Waits for the files of a screen. The router reloads the page at once if it sees that a module is missing; while the server is
 * away, the browser would then replace the console by a page of its own.
 */
export const loadFiles = <Module>(files: Promise<Module>): Promise<Module> =>
  files.catch((cause: unknown) => {
    throw new MissingFiles('The files of this screen could not be loaded.', { cause })
  })
