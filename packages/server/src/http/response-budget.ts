import type { FastifyReply, FastifyRequest } from 'fastify'
import { Problem } from '../engine/problem.ts'
import { toIpAddressBlock } from './address-block.ts'

/** Maximum bytes of responses that a process keeps in memory until clients have read them. */
export interface ResponseBytesInFlightLimits {
  /** Per organization, or per client address if the organization is unknown. */
  readonly in_flight_limit_bytes: number
  /** Maximum bytes in flight of all organizations together. */
  readonly in_flight_total_bytes: number
}

/** Counts the bytes of responses in flight, per process, since it bounds the memory of the process. */
export interface ResponseBudget {
  /**
   * Reserves bytes. Throws `rate-limited` if the limit is reached and the call may be rejected; an owner, or a process,
   * with nothing in flight is never rejected.
   */
  acquire(owner: string, bytes: number, canRefuse: boolean): void
  /** Releases reserved bytes. */
  release(owner: string, bytes: number): void
}

/** A client of average speed has read its responses within this time. */
const retry_after_s = 5

export function createResponseBudget({
  in_flight_limit_bytes,
  in_flight_total_bytes,
}: ResponseBytesInFlightLimits): ResponseBudget {
  const in_flight_bytes = new Map<string, number>()
  let total_bytes = 0
  const isFull = (before: number, added_bytes: number, limit: number): boolean =>
    before > 0 && before + added_bytes > limit
  return {
    acquire: (owner, bytes, canRefuse) => {
      const before = in_flight_bytes.get(owner) ?? 0
      if (
        canRefuse &&
        (isFull(before, bytes, in_flight_limit_bytes) || isFull(total_bytes, bytes, in_flight_total_bytes))
      ) {
        const text =
          'Too many response bytes are in flight for your organization. Read the pending responses, then try again.'
        throw new Problem('rate-limited', text, { retry_after_s })
      }
      in_flight_bytes.set(owner, before + bytes)
      total_bytes += bytes
    },
    release: (owner, bytes) => {
      const after = (in_flight_bytes.get(owner) ?? 0) - bytes
      if (after > 0) in_flight_bytes.set(owner, after)
      else in_flight_bytes.delete(owner)
      total_bytes -= bytes
    },
  }
}

/** Bytes reserved for a response, and their owner. */
export interface ResponseBytesReservation {
  readonly owner: string
  bytes: number
}

const responseOwnerOf = ({ callLog, ip }: FastifyRequest): string => {
  const { organization } = callLog.fields
  return typeof organization === 'string' ? organization : toIpAddressBlock(ip)
}

/**
 * Reserves bytes for a response, including those reserved before, until it has been sent or the client disconnects. Throws
 * `rate-limited` if the limit is reached and the call may be rejected.
 */
export function reserveResponseBytes(
  request: FastifyRequest,
  reply: FastifyReply,
  bytes: number,
  canRefuse: boolean,
): void {
  const { responseBudget: budget } = request.server
  const in_flight_bytes = request.reservedBytes ?? { owner: responseOwnerOf(request), bytes: 0 }
  const added_bytes = bytes - in_flight_bytes.bytes
  if (added_bytes <= 0) return
  budget.acquire(in_flight_bytes.owner, added_bytes, canRefuse)
  in_flight_bytes.bytes += added_bytes
  if (request.reservedBytes) return
  request.reservedBytes = in_flight_bytes
  const release = (): void => budget.release(in_flight_bytes.owner, in_flight_bytes.bytes)
  if (reply.raw.destroyed) release()
  else reply.raw.once('close', release)
}
