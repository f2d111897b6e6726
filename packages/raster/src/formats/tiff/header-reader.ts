import { RasterFailure } from '../../failures.ts'
import type { RasterByteSource } from '../../types.ts'

/** Reads small pieces of a file by way of whole pages, so that a header costs one or two requests. */
export interface TiffHeaderReader {
  read(offset: number, length: number): Promise<DataView>
}

const page_bytes = 32_768
const header_limit_bytes = 16_777_216

/**
 * A reader that remembers the pages it fetched. All pages of one reader together stay below 16 MiB: a header that wants
 * more is a `budget` failure; a piece beyond the end of the file is a `damaged` one.
 */
export function createTiffHeaderReader(source: RasterByteSource, signal?: AbortSignal): TiffHeaderReader {
  const pages = new Map<number, Uint8Array>()

  const fetchPages = async (first: number, last: number): Promise<void> => {
    if ((pages.size + last - first + 1) * page_bytes > header_limit_bytes) {
      throw new RasterFailure('budget', 'the header of the file is larger than 16 MiB')
    }
    const bytes = await source.read(first * page_bytes, (last - first + 1) * page_bytes, signal)
    for (let page = first; page <= last; page++) {
      const start = (page - first) * page_bytes
      pages.set(page, bytes.subarray(Math.min(start, bytes.byteLength), start + page_bytes))
    }
  }

  return {
    async read(offset, length) {
      const end = offset + length
      if (!Number.isSafeInteger(end) || offset < 0 || (source.size !== undefined && end > source.size)) {
        throw new RasterFailure('damaged', `the file is cut short: its header refers to byte ${offset}, beyond its end`)
      }
      const firstPage = Math.floor(offset / page_bytes)
      const lastPage = Math.floor(Math.max(offset, end - 1) / page_bytes)
      let missing = firstPage
      while (missing <= lastPage && pages.has(missing)) missing++
      if (missing <= lastPage) await fetchPages(missing, lastPage)

      const answer = new Uint8Array(length)
      for (let page = firstPage; page <= lastPage; page++) {
        const bytes = pages.get(page)!
        const from = Math.max(0, offset - page * page_bytes)
        const to = Math.min(page_bytes, end - page * page_bytes)
        if (bytes.byteLength < to) {
          throw new RasterFailure(
            'damaged',
            `the file is cut short: it ends inside its header, at byte ${page * page_bytes + bytes.byteLength}`,
          )
        }
        answer.set(bytes.subarray(from, to), page * page_bytes + from - offset)
      }
      return new DataView(answer.buffer)
    },
  }
}
