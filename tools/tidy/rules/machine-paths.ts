import type { TidyRule } from '../tree.ts'

/**
 * An absolute path into a home or working folder of one machine. Temporary folders come from the operating system's call,
 * so their paths do not appear either.
 */
const machinePath =
  /(?<![\w.:/}*)-])\/(?:home|Users|root|work|mnt|opt|srv|private|var\/folders)\/[\w.-]+|\b[A-Z]:\\\\?[\w.-]+/g

/** The package registry is configured by whoever installs, not in the repository. */
const registryHost = /\bregistry\.[a-z-]+\.[a-z]{2,}\b/g

export const machinePathsRule: TidyRule = {
  name: 'machine-paths',
  reason: 'The project runs from any folder of any machine.',
  check: (tree) =>
    [...tree.files].flatMap(([file, text]) =>
      [machinePath, registryHost].flatMap((pattern) =>
        [...text.matchAll(pattern)].map((match) => ({
          file,
          message: `contains "${match[0]}", which is specific to one machine`,
        })),
      ),
    ),
}
