import type { Rule } from '../tree.ts'

/**
 * An absolute path into somebody's home or working folder. Temporary folders are made by the system's own call, so they
 * are not written down either.
 */
const machinePath =
  /(?<![\w.:/}*)-])\/(?:home|Users|root|work|mnt|opt|srv|private|var\/folders)\/[\w.-]+|\b[A-Z]:\\\\?[\w.-]+/g

/** Where packages come from is the business of whoever installs them. */
const registryHost = /\bregistry\.[a-z-]+\.[a-z]{2,}\b/g

export const machinePathsRule: Rule = {
  name: 'machine-paths',
  why: 'The project runs from any folder of any machine.',
  check: (tree) =>
    [...tree.files].flatMap(([file, text]) =>
      [machinePath, registryHost].flatMap((pattern) =>
        [...text.matchAll(pattern)].map((match) => ({ file, says: `names "${match[0]}", a place of one machine` })),
      ),
    ),
}
