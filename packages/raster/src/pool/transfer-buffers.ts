import { move, transferableSymbol, valueSymbol } from 'piscina'
import type { WorkerResult } from './worker-task.ts'

/** Arrays smaller than this are cheaper to copy. */
const min_transfer_bytes = 16_384

/** An answer whose large arrays go over to the caller instead of being copied. */
export function transferBuffers(value: unknown): WorkerResult {
  const buffers = new Set<ArrayBuffer>()
  const answer = { value: release(value, buffers) }
  if (buffers.size === 0) return answer
  const parcel = { [transferableSymbol]: [...buffers], [valueSymbol]: answer }
  return move(parcel as never) as unknown as WorkerResult
}

// Only arrays that own their whole buffer may go: others would take a neighbour's bytes with them.
function release(value: unknown, buffers: Set<ArrayBuffer>): unknown {
  if (ArrayBuffer.isView(value)) {
    if (value.buffer instanceof ArrayBuffer && value.buffer.byteLength >= min_transfer_bytes) {
      if (value.byteLength < value.buffer.byteLength && value instanceof Uint8Array) {
        return release(new Uint8Array(value), buffers)
      }
      if (value.byteLength === value.buffer.byteLength) buffers.add(value.buffer)
    }
    return value
  }
  if (typeof value !== 'object' || value === null || value instanceof Map || Array.isArray(value)) return value
  return Object.fromEntries(Object.entries(value).map(([name, part]) => [name, release(part, buffers)]))
}
