import { readdir } from 'node:fs/promises'
import { join } from 'node:path'

const root = join(import.meta.dirname, '..', '..')

/** The names of all test files of the server: an example that is omitted names the file that tests it instead. */
export async function listTestFiles(): Promise<ReadonlySet<string>> {
  const folders = await Promise.all(['src', 'test'].map((folder) => readdir(join(root, folder), { recursive: true })))
  const paths = folders.flat().filter((path) => path.endsWith('.test.ts'))
  return new Set(paths.map((path) => path.slice(path.lastIndexOf('/') + 1)))
}
