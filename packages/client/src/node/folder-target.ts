import { createReadStream } from 'node:fs'
import { stat } from 'node:fs/promises'
import { join } from 'node:path'
import { hashOf, type FilePath, type FolderTarget } from '../transfer/folder-target.ts'
import { toSafeName } from '../transfer/safe-names.ts'
import { fileTarget } from './file-target.ts'

/** Downloads into a folder of this machine, and nowhere else, whatever the names are. */
export function folderTarget(root: string): FolderTarget {
  const locate = (path: FilePath): string => {
    const unsafe = path.find((name) => toSafeName(name) !== name)
    if (path.length === 0 || unsafe !== undefined) throw new Error(`"${unsafe}" is not a safe name of a file.`)
    return join(root, ...path)
  }
  return {
    file: (path) => fileTarget(locate(path)),
    find: async (path) => {
      const file = locate(path)
      const found = await stat(file).catch(() => null)
      return found?.isFile() ? { size_bytes: found.size, computeSha256: () => hashOf(createReadStream(file)) } : null
    },
  }
}
