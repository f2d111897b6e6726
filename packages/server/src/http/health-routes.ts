import type { FastifyInstance } from 'fastify'

export interface Health {
  /** Resolves when calls can be answered; throws with the reason otherwise. */
  ready(): Promise<void>
  /** All metrics in the text form of Prometheus. */
  metrics(): string
}

/** For machines that watch the house; no token. */
export function healthRoutes(app: FastifyInstance, health: Health): void {
  app.get('/healthz', async (_request, reply) => reply.header('cache-control', 'no-store').send({ status: 'ok' }))
  app.get('/readyz', async (_request, reply) => {
    reply.header('cache-control', 'no-store')
    try {
      await health.ready()
      return { status: 'ready' }
    } catch (error) {
      return reply
        .code(503)
        .send({ status: 'not ready', reason: error instanceof Error ? error.message : String(error) })
    }
  })
  app.get('/metrics', async (_request, reply) =>
    reply.type('text/plain; version=0.0.4; charset=utf-8').send(health.metrics()),
  )
}
