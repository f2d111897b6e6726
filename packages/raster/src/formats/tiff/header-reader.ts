import { RasterFailure } from '../../failures.ts'
import type { Source } from '../../types.ts'

/** Reads small pieces of a file by way of whole pages, so that a header costs one or two requests. */
export interface HeaderReader {
  read(offset: number, length: number): Promise<DataView>
}

const PAGE_BYTES = 32_768
const HEADER_LIMIT_BYTES = 16_777_216

/**
 * A reader that remembers the pages it fetched. All pages of one reader together stay below 16 MiB: a header that wants
 * more is a `budget` failure; a piece beyond the end of the file is a `damaged` one.
 */
export function createHeaderReader(source: Source, signal?: AbortSignal): HeaderReader {
  const pages = new Map<number, Uint8Array>()

  const fetchPages = async (first: number, last: number): Promise<void> => {
    if ((pages.size + last - first + 1) * PAGE_BYTES > HEADER_LIMIT_BYTES) {
      throw new RasterFailure('budget', 'the header of the file is larger than 16 MiB')
    }
    const bytes = await source.read(first * PAGE_BYTES, (last - first + 1) * PAGE_BYTES, signal)
    for (let page = first; page <= last; page++) {
      const start = (page - first) * PAGE_BYTES
      pages.set(page, bytes.subarray(Math.min(start, bytes.byteLength), start + PAGE_BYTES))
    }
  }

  return {
    async read(offset, length) {
      const end = offset + length
      if (!Number.isSafeInteger(end) || offset < 0 || (source.size !== undefined && end > source.size)) {
        throw new RasterFailure('damaged', `the header points to byte ${offset}, beyond the end of the file`)
      }
      const firstPage = Math.floor(offset / PAGE_BYTES)
      const lastPage = Math.floor(Math.max(offset, end - 1) / PAGE_BYTES)
      let missing = firstPage
      while (missing <= lastPage && pages.has(missing)) missing++
      if (missing <= lastPage) await fetchPages(missing, lastPage)

      const answer = new Uint8Array(length)
      for (let page = firstPage; page <= lastPage; page++) {
        const bytes = pages.get(page)!
        const from = Math.max(0, offset - page * PAGE_BYTES)
        const to = Math.min(PAGE_BYTES, end - page * PAGE_BYTES)
        if (bytes.byteLength < to) {
          throw new RasterFailure(
            'damaged',
            `the file ends inside its header, at byte ${page * PAGE_BYTES + bytes.byteLength}`,
          )
        }
        answer.set(bytes.subarray(from, to), page * PAGE_BYTES + from - offset)
      }
      return new DataView(answer.buffer)
    },
  }
}
