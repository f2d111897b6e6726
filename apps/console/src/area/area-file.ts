import { max_text_bytes, readArea, type AreaReading } from './area-text.ts'

const max_archive_bytes = 20_000_000

/** True for the first two bytes of a ZIP file: a zipped shapefile or KMZ. */
const isArchive = (bytes: Uint8Array): boolean => bytes[0] === 0x50 && bytes[1] === 0x4b

/** Reads an area from a file of any kind that people have areas in; what unpacks archives is loaded when there is one. */
export async function readAreaFile(file: Blob): Promise<AreaReading> {
  if (file.size > max_archive_bytes) return { area: null, error: 'too-large' }
  const head = new Uint8Array(await file.slice(0, 2).arrayBuffer())
  if (!isArchive(head))
    return file.size > max_text_bytes ? { area: null, error: 'too-large' } : readArea(await file.text())
  const { readArchive } = await import('./area-archive.ts')
  return readArchive(new Uint8Array(await file.arrayBuffer()))
}
