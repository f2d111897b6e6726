import fs from 'node:fs'
import path from 'node:path'
import { fileURLToPath } from 'node:url'

const beside = fileURLToPath(new URL('../../../../../../node_modules/.cache/swath/', import.meta.url))

/**
 * Where the template of new databases is kept: with the packages that it is made of, so that every data folder of this
 * installation begins with it, or in the data folder where the packages may not be written to.
 */
export function cacheFolder(data_dir: string): string {
  try {
    fs.mkdirSync(beside, { recursive: true })
    fs.accessSync(beside, fs.constants.W_OK)
    return beside
  } catch {
    return path.join(data_dir, 'cache')
  }
}
