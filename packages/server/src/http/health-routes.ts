import type { FastifyInstance, FastifyRequest } from 'fastify'
import { Problem } from '../engine/problem.ts'
import { sameText } from '../platform/crypto/signatures.ts'
import { isLoopback } from '../platform/loopback.ts'

export interface Health {
  /** Resolves when calls can be answered; throws with the reason otherwise. */
  ready(): Promise<void>
  /** All metrics in the text form of Prometheus. */
  metrics(): string
  /** Whoever has it may read the metrics from elsewhere; null: nobody but this machine may. */
  readonly metrics_token: string | null
}

const forwardingHeaders = ['forwarded', 'x-forwarded-for', 'x-forwarded-host', 'x-real-ip', 'via']

/** True for a request of a program on this machine. A proxy on this machine is near, and those that it speaks for are not. */
const isLocal = ({ ip, socket, headers }: FastifyRequest): boolean =>
  [ip, socket.remoteAddress ?? ''].every(isLoopback) && forwardingHeaders.every((name) => headers[name] === undefined)

/** The numbers tell how the server is used and how it fails: they are for its operators. */
function assertMayReadMetrics(request: FastifyRequest, token: string | null): void {
  if (isLocal(request)) return
  const [, given = ''] = /^Bearer +(.+)$/i.exec(request.headers.authorization ?? '') ?? []
  if (token === null || !sameText(given, token)) {
    throw new Problem('unauthenticated', 'The metrics need the token that METRICS_TOKEN names.')
  }
}

/** For machines that watch the server. Anybody may ask whether it is ready; why it is not is written to the log. */
export function healthRoutes(app: FastifyInstance, health: Health): void {
  app.get('/healthz', async (_request, reply) => reply.header('cache-control', 'no-store').send({ status: 'ok' }))
  app.get('/readyz', async (request, reply) => {
    reply.header('cache-control', 'no-store')
    try {
      await health.ready()
      return { status: 'ready' }
    } catch (error) {
      request.seen.set({ not_ready: error instanceof Error ? (error.stack ?? error.message) : String(error) })
      return reply.code(503).send({ status: 'not ready' })
    }
  })
  app.get('/metrics', async (request, reply) => {
    assertMayReadMetrics(request, health.metrics_token)
    return reply
      .header('cache-control', 'no-store')
      .type('text/plain; version=0.0.4; charset=utf-8')
      .send(health.metrics())
  })
}
