import type { FastifyInstance, FastifyRequest } from 'fastify'
import { findOperation, queryParameterAliases } from '@swath/contract/registry.ts'
import type { Operation } from '@swath/contract/operation.ts'
import { parseQueryInput } from '../../engine/input/read-input.ts'
import { createMethodProblem } from '../send-problem.ts'
import { readJsonBody, dispatchHttpCall, sendCallResult, type HttpRouteContext } from '../http-call.ts'

/**
 * Registers the canonical routes of all operations: `POST /v1/op/{id}`, `POST /v1/{a}/{b}/…` with one path segment per
 * part of the id, and GET on both paths for reads.
 */
export function registerOperationRoutes(app: FastifyInstance, http: HttpRouteContext): void {
  const byId = (request: FastifyRequest): string => (request.params as { id: string }).id
  const bySegments = (request: FastifyRequest): string => (request.params as { '*': string })['*'].replaceAll('/', '.')

  for (const [path, idOf] of [
    ['/v1/op/:id', byId],
    ['/v1/*', bySegments],
  ] as const) {
    app.post(path, async (request, reply) => {
      const readBody = (operation: Operation): Promise<unknown> => readJsonBody(http, operation, request)
      return sendCallResult(reply, await dispatchHttpCall(http, { request, reply, operation: idOf(request), readBody }))
    })
    app.get(path, async (request, reply) => {
      const id = idOf(request)
      requireRead(id, request)
      return sendCallResult(
        reply,
        await dispatchHttpCall(http, {
          request,
          reply,
          operation: id,
          readBody: async (operation) => readQueryInput(operation, request),
        }),
      )
    })
  }
}

/** GET is for reads only. */
function requireRead(id: string, { url, method }: FastifyRequest): void {
  const operation = findOperation(id)
  if (operation && operation.effect !== 'read') throw createMethodProblem(method, url.split('?', 1)[0]!, ['POST'])
}

function readQueryInput(operation: Operation, request: FastifyRequest): Record<string, unknown> {
  const aliases = queryParameterAliases[operation.id] ?? {}
  const query = Object.entries(request.query as Record<string, unknown>)
  const fieldOf = (name: string): string => (Object.hasOwn(aliases, name) ? (aliases[name] ?? name) : name)
  return parseQueryInput(operation, Object.fromEntries(query.map(([name, value]) => [fieldOf(name), value])))
}
