import { defineService } from '../../../engine/process-services.ts'
import { readdir, readFile } from 'node:fs/promises'
import { promisify } from 'node:util'
import { brotliDecompress } from 'node:zlib'
import { readPlaceFile, type PlaceTable } from './place-file.ts'

export const placeIndexServiceKey = defineService<PlaceIndex>('placeIndex')

/** The places of the world, which are read from their file at the first search and stay in memory. */
export interface PlaceIndex {
  read(): Promise<PlaceTable>
}

/** The attribution to show with places; `packages/server/base-map/NOTICE.md` has the licences. */
export const placeNameAttribution = 'GeoNames (CC BY 4.0), Natural Earth, Unicode CLDR'

const folder = new URL('../../../../base-map/', import.meta.url)
/** With a hash of its content in its name. */
const fileName = /^places-[0-9a-f]{16}\.br$/

export function createPlaceIndex(): PlaceIndex {
  let table: Promise<PlaceTable> | undefined
  const read = (): Promise<PlaceTable> =>
    (table ??= readTable().catch((error: unknown) => {
      // The next search tries again.
      table = undefined
      throw error
    }))
  return { read }
}

/** Decompressing is done by another thread. */
async function readTable(): Promise<PlaceTable> {
  const name = (await readdir(folder)).find((one) => fileName.test(one))
  if (!name) throw new Error('the index of places is missing')
  return readPlaceFile(await promisify(brotliDecompress)(await readFile(new URL(name, folder))))
}
