import { readFile } from 'node:fs/promises'
import type { FastifyInstance } from 'fastify'
import { problems, type ProblemName } from '@swath/contract/problems.ts'
import { Problem } from '../engine/problem.ts'
import { docsPage, problemPage } from './docs-page.ts'
import { baseOf } from './server.ts'

/** Nothing is loaded from anywhere, nothing runs: the pages are plain HTML with their style inside. */
const policy =
  "default-src 'none'; style-src 'unsafe-inline'; img-src 'self' data:; base-uri 'none'; form-action 'none'"

/** What the STAC API calls the document; browsers show it where it is plain JSON. */
const openapi = 'application/vnd.oai.openapi+json;version=3.1'

const asksOpenapi = (accept = ''): boolean => accept.includes('application/vnd.oai.openapi+json')

/** The OpenAPI document up to its servers, and from behind them. */
type DocumentParts = readonly [before: Buffer, after: Buffer]

/** The document is written once: half a megabyte takes too long to be written for each caller anew. */
async function readDocument(file: URL): Promise<DocumentParts> {
  const { servers: _servers, ...document } = JSON.parse(await readFile(file, 'utf8')) as Record<string, unknown>
  return [Buffer.from(`${JSON.stringify(document).slice(0, -1)},"servers":`), Buffer.from('}')]
}

/** The written terms as a person or a tool reads them; no token. Nothing is read before somebody asks for it. */
export function documentRoutes(app: FastifyInstance, options: { openapiFile: URL; baseUrl: string | null }): void {
  let parts: Promise<DocumentParts> | undefined
  let page: string | undefined
  const documentOf = async (base: string): Promise<Buffer> => {
    const [before, after] = await (parts ??= readDocument(options.openapiFile))
    return Buffer.concat([before, Buffer.from(JSON.stringify([{ url: base }])), after])
  }
  app.get('/', async (_request, reply) => reply.redirect('/docs', 302))
  app.get('/openapi.json', async (request, reply) =>
    reply
      .type(asksOpenapi(request.headers.accept) ? openapi : 'application/json; charset=utf-8')
      .header('vary', 'accept')
      .send(await documentOf(baseOf(request, options.baseUrl))),
  )
  app.get('/docs', async (_request, reply) =>
    reply
      .header('content-security-policy', policy)
      .type('text/html; charset=utf-8')
      .send((page ??= docsPage())),
  )
  app.get('/problems/:name', async (request, reply) => {
    const { name } = request.params as { name: string }
    if (!Object.hasOwn(problems, name)) throw new Problem('not-found', 'There is no problem of that name.')
    return reply
      .header('content-security-policy', policy)
      .type('text/html; charset=utf-8')
      .send(problemPage(name as ProblemName))
  })
}
