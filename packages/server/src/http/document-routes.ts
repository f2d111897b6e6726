import { readFile } from 'node:fs/promises'
import type { FastifyInstance } from 'fastify'
import { problems, type ProblemName } from '@swath/contract/problems.ts'
import { Problem } from '../engine/problem.ts'
import { docsPage, problemPage } from './docs-page.ts'
import { baseOf } from './server.ts'

/** No external resources, no scripts: the pages are plain HTML with inline styles. */
const policy =
  "default-src 'none'; style-src 'unsafe-inline'; img-src 'self' data:; base-uri 'none'; form-action 'none'"

/** The media type that the STAC API requires; browsers display the document only as plain JSON. */
const openapi = 'application/vnd.oai.openapi+json;version=3.1'

const asksOpenapi = (accept = ''): boolean => accept.includes('application/vnd.oai.openapi+json')

/** The serialized OpenAPI document before and after its `servers`. */
type DocumentParts = readonly [before: Buffer, after: Buffer]

/** Serialized once: half a megabyte takes too long to serialize for each request. */
async function readDocument(file: URL): Promise<DocumentParts> {
  const { servers: _servers, ...document } = JSON.parse(await readFile(file, 'utf8')) as Record<string, unknown>
  return [Buffer.from(`${JSON.stringify(document).slice(0, -1)},"servers":`), Buffer.from('}')]
}

/** The API documentation and the OpenAPI document, without a token. Files are read at the first request. */
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
    if (!Object.hasOwn(problems, name)) throw new Problem('not-found', 'There is no problem type of that name.')
    return reply
      .header('content-security-policy', policy)
      .type('text/html; charset=utf-8')
      .send(problemPage(name as ProblemName))
  })
}
