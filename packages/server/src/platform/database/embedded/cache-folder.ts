import fs from 'node:fs'
import path from 'node:path'
import { fileURLToPath } from 'node:url'

const packageCacheFolder = fileURLToPath(new URL('../../../../../../node_modules/.cache/swath/', import.meta.url))

/**
 * The cache folder for database templates: beside the packages that they are made from, so that every data folder of this
 * installation shares them, or in the data folder if the packages are not writable.
 */
export function findTemplateCacheFolder(data_dir: string): string {
  try {
    fs.mkdirSync(packageCacheFolder, { recursive: true })
    fs.accessSync(packageCacheFolder, fs.constants.W_OK)
    return packageCacheFolder
  } catch {
    return path.join(data_dir, 'cache')
  }
}
