import type { FastifyReply, FastifyRequest } from 'fastify'
import { Problem } from '../engine/problem.ts'
import { blockOf } from './address-block.ts'

/** Maximum bytes of responses that a process keeps in memory until clients have read them. */
export interface ResponseLimits {
  /** Per organization, or per client address if the organization is unknown. */
  readonly in_flight_limit_bytes: number
  /** Of all organizations together. */
  readonly in_flight_total_bytes: number
}

/** Counts the bytes of responses in flight, per process, since it bounds the memory of the process. */
export interface ResponseBudget {
  /**
   * Reserves bytes. Throws `rate-limited` if the limit is reached and the call may be rejected; an owner, or a process,
   * with nothing in flight is never rejected.
   */
  take(holder: string, bytes: number, mayRefuse: boolean): void
  /** Releases reserved bytes. */
  give(holder: string, bytes: number): void
}

/** A client of average speed has read its responses within this time. */
const retry_after_s = 5

export function openResponseBudget({ in_flight_limit_bytes, in_flight_total_bytes }: ResponseLimits): ResponseBudget {
  const held = new Map<string, number>()
  let total_bytes = 0
  const isFull = (before: number, more: number, limit: number): boolean => before > 0 && before + more > limit
  return {
    take: (holder, bytes, mayRefuse) => {
      const before = held.get(holder) ?? 0
      if (
        mayRefuse &&
        (isFull(before, bytes, in_flight_limit_bytes) || isFull(total_bytes, bytes, in_flight_total_bytes))
      ) {
        const text =
          'Too many response bytes are in flight for your organization. Read the pending responses, then try again.'
        throw new Problem('rate-limited', text, { retry_after_s })
      }
      held.set(holder, before + bytes)
      total_bytes += bytes
    },
    give: (holder, bytes) => {
      const after = (held.get(holder) ?? 0) - bytes
      if (after > 0) held.set(holder, after)
      else held.delete(holder)
      total_bytes -= bytes
    },
  }
}

/** Bytes reserved for a response, and their owner. */
export interface HeldBytes {
  readonly holder: string
  bytes: number
}

const holderOf = ({ seen, ip }: FastifyRequest): string => {
  const { organization } = seen.facts
  return typeof organization === 'string' ? organization : blockOf(ip)
}

/**
 * Reserves bytes for a response, including those reserved before, until it has been sent or the client disconnects. Throws
 * `rate-limited` if the limit is reached and the call may be rejected.
 */
export function holdBytes(request: FastifyRequest, reply: FastifyReply, bytes: number, mayRefuse: boolean): void {
  const { responseBudget: budget } = request.server
  const held = request.held ?? { holder: holderOf(request), bytes: 0 }
  const more = bytes - held.bytes
  if (more <= 0) return
  budget.take(held.holder, more, mayRefuse)
  held.bytes += more
  if (request.held) return
  request.held = held
  const release = (): void => budget.give(held.holder, held.bytes)
  if (reply.raw.destroyed) release()
  else reply.raw.once('close', release)
}
