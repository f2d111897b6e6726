import { RasterFailure } from '../../failures.ts'
import { MARKER } from './main-header.ts'
import type { MainHeader } from './main-header.ts'
import { damagedPacket, measurePacket, openPrecinct } from './packets.ts'
import type { PrecinctState } from './packets.ts'
import { packetsInOrder, precinctsOf } from './packet-order.ts'
import type { Box } from './tile-geometry.ts'

const SIZE = MARKER.size
const CODING = MARKER.codingDefault
const QUANTIZATION = 0xff5c
const QUANTIZATION_COMPONENT = 0xff5d
const CAPABILITIES = 0xff50
const START_OF_PACKET = 0xff91
const END_OF_PACKET_HEADER = 0xff92
/** In the headers of parts: lengths of packets, and remarks. */
const HARMLESS: ReadonlySet<number> = new Set([0xff58, MARKER.comment])

/** More would take seconds to read. */
const MOST_PACKETS = 524_288

/** Components that are decoded together, and the codestream that holds them alone. */
export interface ComponentGroup {
  readonly components: readonly number[]
  readonly header: Uint8Array
  readonly parts: readonly Uint8Array[]
}

/**
 * Takes the bands of a tile apart: the decoder at hand answers one band or three. What is mixed with each other (the first
 * three, where the header says so) stays together. The packets are copied as they are, only their order and lengths are
 * read. Fails with `damaged`, and `unsupported` where bands are coded in different ways or the order changes on the way.
 */
export function splitComponents(header: MainHeader, box: Box, parts: readonly Uint8Array[]): ComponentGroup[] {
  const segments = segmentsOf(header.bytes)
  const coding = segments.find(({ marker }) => marker === CODING)!.bytes
  const known = [SIZE, CODING, QUANTIZATION, QUANTIZATION_COMPONENT, CAPABILITIES]
  if (segments.some(({ marker }) => !known.includes(marker))) throw notAlike()
  const { mixed } = header
  const { components } = header.grid
  const packets = copyPackets(header, box, coding, joinParts(parts))
  const groups = Array.from({ length: components }, (_, index) => [index]).slice(mixed ? 3 : 0)
  if (mixed) groups.unshift([0, 1, 2])
  return groups.map((members) => ({
    components: members,
    header: headerFor(segments, members),
    parts: [partFor(packets.filter(({ component }) => members.includes(component)).map(({ bytes }) => bytes))],
  }))
}

interface Segment {
  readonly marker: number
  readonly bytes: Uint8Array
}

function segmentsOf(header: Uint8Array): Segment[] {
  const segments: Segment[] = []
  for (let at = 2; at + 4 <= header.length;) {
    const length = 2 + header[at + 2]! * 256 + header[at + 3]!
    segments.push({ marker: header[at]! * 256 + header[at + 1]!, bytes: header.slice(at, at + length) })
    at += length
  }
  return segments
}

/** The packets of all parts one after the other, without the headers of the parts. */
function joinParts(parts: readonly Uint8Array[]): Uint8Array {
  return Buffer.concat(
    parts.map((part) => {
      let at = 12
      for (;;) {
        const marker = part[at]! * 256 + part[at + 1]!
        if (marker === MARKER.startOfData) return part.subarray(at + 2)
        if (!HARMLESS.has(marker)) throw notAlike()
        at += 2 + part[at + 2]! * 256 + part[at + 3]!
      }
    }),
  )
}

function copyPackets(
  { grid, styles, layers }: MainHeader,
  box: Box,
  coding: Uint8Array,
  bytes: Uint8Array,
): { component: number; bytes: Uint8Array }[] {
  const style = styles[0]!
  const precincts = precinctsOf(box, style)
  if (precincts.flat().length * layers * grid.components > MOST_PACKETS) {
    throw new RasterFailure('budget', 'a tile of the JPEG 2000 picture is cut into too many pieces')
  }
  const segments = { everyPass: (coding[12]! & 4) !== 0, raw: (coding[12]! & 1) !== 0 }
  const states = new Map<string, PrecinctState>()
  const marker = (at: number): number => (bytes[at] ?? 0) * 256 + (bytes[at + 1] ?? 0)
  const packets: { component: number; bytes: Uint8Array }[] = []
  let at = 0
  for (const place of packetsInOrder(coding[5]!, layers, grid.components, precincts)) {
    const { component, resolution, precinct, layer } = place
    if (marker(at) === START_OF_PACKET) at += 6
    if (at >= bytes.length) throw damagedPacket()
    const key = `${component} ${resolution} ${precinct}`
    let state = states.get(key)
    if (!state) states.set(key, (state = openPrecinct(precincts[resolution]![precinct]!.bands)))
    const ends = measurePacket(bytes, at, layer, state, segments)
    const skipped = marker(ends.header) === END_OF_PACKET_HEADER && (coding[4]! & 4) !== 0 ? 2 : 0
    if (ends.body + skipped > bytes.length) throw damagedPacket()
    packets.push({ component, bytes: bytes.subarray(at, ends.header) })
    packets.push({ component, bytes: bytes.subarray(ends.header + skipped, ends.body + skipped) })
    at = ends.body + skipped
  }
  return packets
}

function headerFor(segments: readonly Segment[], members: readonly number[]): Uint8Array {
  const kept = segments.flatMap(({ marker, bytes }) => {
    if (marker === SIZE) return [sizeFor(bytes, members)]
    if (marker === CODING) return [codingFor(bytes, members)]
    if (marker !== QUANTIZATION_COMPONENT) return [bytes]
    const place = members.indexOf(bytes[4]!)
    return place < 0 ? [] : [bytes.with(4, place)]
  })
  return Buffer.concat([Uint8Array.of(0xff, 0x4f), ...kept])
}

function sizeFor(bytes: Uint8Array, members: readonly number[]): Uint8Array {
  const size = bytes.slice(0, 40 + 3 * members.length)
  size[3] = size.length - 2
  size[2] = 0
  size[38] = 0
  size[39] = members.length
  return size
}

// Markers around packets are left out, so the style must not promise them; one band alone is mixed with nothing.
function codingFor(bytes: Uint8Array, members: readonly number[]): Uint8Array {
  return bytes.with(4, bytes[4]! & 1).with(8, members.length === 3 ? bytes[8]! : 0)
}

function partFor(packets: readonly Uint8Array[]): Uint8Array {
  const body = Buffer.concat(packets)
  const head = Buffer.from([0xff, 0x90, 0, 10, 0, 0, 0, 0, 0, 0, 0, 1, 0xff, 0x93])
  head.writeUInt32BE(head.length + body.length, 6)
  return Buffer.concat([head, body])
}

function notAlike(): RasterFailure {
  return new RasterFailure(
    'unsupported',
    'JPEG 2000 of two or more than three bands coded in different ways is not read',
  )
}
