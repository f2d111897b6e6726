import type { FastifyInstance, FastifyRequest } from 'fastify'
import { findOperation, getAliases } from '@swath/contract/registry.ts'
import type { Operation } from '@swath/contract/operation.ts'
import { inputFromQuery } from '../engine/read-input.ts'
import { bodyOf, enter, send, type Doors } from './door.ts'

/**
 * Registers the canonical routes of all operations: `POST /v1/op/{id}`, `POST /v1/{a}/{b}/…` with one path segment per
 * part of the id, and GET on both paths for reads.
 */
export function operationRoutes(app: FastifyInstance, doors: Doors): void {
  const byId = (request: FastifyRequest): string => (request.params as { id: string }).id
  const bySegments = (request: FastifyRequest): string => (request.params as { '*': string })['*'].replaceAll('/', '.')

  for (const [path, idOf] of [
    ['/v1/op/:id', byId],
    ['/v1/*', bySegments],
  ] as const) {
    app.post(path, async (request, reply) => {
      const readBody = (operation: Operation): Promise<unknown> => bodyOf(doors, operation, request)
      return send(reply, await enter(doors, request, reply, idOf(request), readBody))
    })
    app.get(path, async (request, reply) => {
      const id = readableId(idOf(request))
      return send(reply, await enter(doors, request, reply, id, async (operation) => queryOf(operation, request)))
    })
  }
}

/** GET is for reads only: for any other operation it returns an id that no operation has. */
function readableId(id: string): string {
  const operation = findOperation(id)
  return operation && operation.effect !== 'read' ? `GET ${id}` : id
}

function queryOf(operation: Operation, request: FastifyRequest): Record<string, unknown> {
  const names = getAliases[operation.id] ?? {}
  const query = Object.entries(request.query as Record<string, unknown>)
  const fieldOf = (name: string): string => (Object.hasOwn(names, name) ? (names[name] ?? name) : name)
  return inputFromQuery(operation, Object.fromEntries(query.map(([name, value]) => [fieldOf(name), value])))
}
