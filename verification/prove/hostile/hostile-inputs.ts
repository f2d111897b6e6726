import type { Polygon } from '@swath/contract/schemas/geojson.ts'
import { createOperationCall, createKeepAliveAgent, send } from '../load/sender.ts'
import type { AttackTarget } from './attack-target.ts'
import { constants, deflateSync } from 'node:zlib'
import { packHeader } from '../upload/seeded-tiff.ts'

/** A JSON object with many unknown members. */
export const createManyMembers = (members: number): Buffer =>
  Buffer.from(`{${Array.from({ length: members }, (_, index) => `"a${index}":0`).join(',')}}`)

/** A comb-shaped polygon with hundreds of teeth, each ending at another latitude; two positions per tooth and four more. */
export function createComb(teeth: number): Polygon {
  const points = Array.from({ length: teeth }, (_, at) => [
    [10 + at / teeth, (0.001 * at) / teeth],
    [10 + (at + 0.5) / teeth, 1 + at * 1e-4],
  ]).flat() as [number, number][]
  return { type: 'Polygon', coordinates: [[[10, -0.1], ...points, [11, 0], [11, -0.1], [10, -0.1]]] }
}

/** Many conditions that case-fold one large text and never match. */
export const createDeepFilter = (times: number): object => ({
  op: 'and',
  args: Array.from({ length: times }, (_, index) => ({
    op: 'not',
    args: [
      {
        op: 'like',
        args: [
          { op: 'casei', args: [{ op: 'accenti', args: [{ property: 'p' }] }] },
          { op: 'casei', args: [{ op: 'accenti', args: [`%never${index}%`] }] },
        ],
      },
    ],
  })),
})

const sizes_bytes = [9_000_000, 1_000_000, 250_000, 60_000]
const items = 30
const prepared = new WeakSet<AttackTarget>()

/** Creates thirty items of the attacker with the largest accepted properties. */
export async function createLargeItems(target: AttackTarget): Promise<void> {
  if (prepared.has(target)) return
  prepared.add(target)
  const { url, attacker } = target
  const agent = createKeepAliveAgent(2)
  const create = (bytes: number, index: number): Promise<string> => {
    const properties = { p: 'Éàß'.repeat(Math.floor(bytes / 6)) }
    const input = { project_id: attacker.project, name: `large ${index}`, type: 'user_raster', properties }
    return send(url, createOperationCall('items.create', input, attacker.api_key), agent).then(({ outcome }) => outcome)
  }
  try {
    for (const bytes of sizes_bytes) {
      const first = await create(bytes, 0)
      if (first !== '200') continue
      for (let index = 1; index < items; index += 2) {
        await Promise.all([create(bytes, index), create(bytes, index + 1)])
      }
      return
    }
  } finally {
    agent.destroy()
  }
  throw new Error('no large item was accepted')
}

const side = 32_768
const block_bytes = 16 * 1024 * 1024
/** The largest prime below 2^16 (RFC 1950, section 9). */
const adler_modulus = 65_521

/** A GeoTIFF of about a megabyte whose only strip is a gibibyte of zeros, compressed with Deflate. */
export function createBombTiff(): Uint8Array<ArrayBuffer> {
  const strip = compressZeros(side * side)
  const header = packHeader((begin) => [
    [256, 4, [side]],
    [257, 4, [side]],
    [258, 3, [8]],
    [259, 3, [8]],
    [262, 3, [1]],
    [273, 4, [begin]],
    [277, 3, [1]],
    [278, 4, [side]],
    [279, 4, [strip.length]],
    [33550, 12, [10, 10, 0]],
    [33922, 12, [0, 0, 0, 500_000, 5_600_000, 0]],
    [34735, 3, [1, 1, 0, 2, 1024, 0, 1, 1, 3072, 0, 1, 32632]],
  ])
  return new Uint8Array(Buffer.concat([header, strip]))
}

/** A zlib stream that repeats one compressed block: after a full flush a block does not refer to earlier ones. */
function compressZeros(size: number): Buffer {
  const zeros = Buffer.alloc(block_bytes)
  const packed = deflateSync(zeros, { level: 9, finishFlush: constants.Z_FULL_FLUSH })
  const block = packed.subarray(2)
  const end = Buffer.from([3, 0])
  const checksum = Buffer.alloc(4)
  checksum.writeUInt32BE((size % adler_modulus) * 65_536 + 1)
  const blocks = Array.from({ length: size / block_bytes }, () => block)
  return Buffer.concat([packed.subarray(0, 2), ...blocks, end, checksum])
}
