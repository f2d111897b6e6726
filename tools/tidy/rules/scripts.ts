import { isExecutable, type TidyRule } from '../tree.ts'

export const scriptsRule: TidyRule = {
  name: 'scripts',
  reason: 'A script that names its interpreter is run by its path, also from a fresh clone.',
  check: (tree) =>
    [...tree.files]
      .filter(([path, text]) => text.startsWith('#!') && !isExecutable(tree, path))
      .map(([file]) => ({ file, message: 'names its interpreter in its first line and is not executable' })),
}
