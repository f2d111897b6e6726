import type { FastifyInstance } from 'fastify'
import createRouter, { type HTTPMethod } from 'find-my-way'

/** `v1` of `/v1/op/users.me?x=1` */
const firstMember = (url: string): string => /^\/([^/?]*)/.exec(url)?.[1] ?? ''

interface RouteTable {
  /** The methods that the routes of a path have, in alphabetical order; none for a path without a route. */
  findMethods(path: string): readonly string[]
  /** True if a route's path has the first member of this one: what is missing below it is missing for programs. */
  hasFirstMember(path: string): boolean
  /** All routes, such as `GET /v1/op/:id`. */
  list(): readonly string[]
}

/** Collects the routes that are registered from now on. */
export function collectRoutes(app: FastifyInstance, options: { readonly maxParamLength: number }): RouteTable {
  const router = createRouter({ ignoreTrailingSlash: true, ...options })
  const methods = new Set<HTTPMethod>()
  const routes: string[] = []
  const members = new Set<string>()
  app.addHook('onRoute', ({ method, url }) => {
    members.add(firstMember(url))
    for (const name of [method].flat() as HTTPMethod[]) {
      // Preflight requests are answered for every path.
      if (name === 'OPTIONS' || router.findRoute(name, url)) continue
      methods.add(name)
      routes.push(`${name} ${url}`)
      router.on(name, url, () => undefined)
    }
  })
  return {
    findMethods: (path) => [...methods].filter((method) => router.find(method, path) !== null).toSorted(),
    hasFirstMember: (path) => members.has(firstMember(path)),
    list: () => routes,
  }
}
