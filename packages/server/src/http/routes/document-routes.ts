import { readFile } from 'node:fs/promises'
import type { FastifyInstance } from 'fastify'
import { problems, type ProblemName } from '@swath/contract/problems.ts'
import { Problem } from '../../engine/problem.ts'
import { renderDocsPage, renderProblemPage } from '../pages/docs-page.ts'
import { tryOperationsPath } from './console-routes.ts'
import { resolveBaseUrl } from '../server.ts'

/** No external resources, no scripts: the pages are plain HTML with inline styles. */
const contentSecurityPolicy =
  "default-src 'none'; style-src 'unsafe-inline'; img-src 'self' data:; base-uri 'none'; form-action 'none'; frame-ancestors 'none'"

/** The media type that the STAC API requires; browsers display the document only as plain JSON. */
const openapiMediaType = 'application/vnd.oai.openapi+json;version=3.1'

const acceptsOpenapi = (accept = ''): boolean => accept.includes('application/vnd.oai.openapi+json')

/** The serialized OpenAPI document before and after its `servers`. */
type OpenapiParts = readonly [before: Buffer, after: Buffer]

/** Serialized once: half a megabyte takes too long to serialize for each request. */
async function readOpenapiDocument(file: URL): Promise<OpenapiParts> {
  const { servers: _servers, ...document } = JSON.parse(await readFile(file, 'utf8')) as Record<string, unknown>
  return [Buffer.from(`${JSON.stringify(document).slice(0, -1)},"servers":`), Buffer.from('}')]
}

/** The API documentation and the OpenAPI document, without a token. Files are read at the first request. */
export function registerDocumentRoutes(
  app: FastifyInstance,
  options: { openapiFile: URL; baseUrl: string | null; hasConsole: boolean },
): void {
  let parts: Promise<OpenapiParts> | undefined
  let page: string | undefined
  const openapiDocumentFor = async (base: string): Promise<Buffer> => {
    const [before, after] = await (parts ??= readOpenapiDocument(options.openapiFile))
    return Buffer.concat([before, Buffer.from(JSON.stringify([{ url: base }])), after])
  }
  if (!options.hasConsole) app.get('/', async (_request, reply) => reply.redirect('/docs', 302))
  app.get('/openapi.json', async (request, reply) =>
    reply
      .type(acceptsOpenapi(request.headers.accept) ? openapiMediaType : 'application/json; charset=utf-8')
      .header('vary', 'accept')
      .send(await openapiDocumentFor(resolveBaseUrl(request, options.baseUrl))),
  )
  app.get('/docs', async (_request, reply) =>
    reply
      .header('content-security-policy', contentSecurityPolicy)
      .type('text/html; charset=utf-8')
      .send((page ??= renderDocsPage(options.hasConsole ? tryOperationsPath : null))),
  )
  app.get('/problems/:name', async (request, reply) => {
    const { name } = request.params as { name: string }
    if (!Object.hasOwn(problems, name)) throw new Problem('not-found', 'There is no problem type of that name.')
    return reply
      .header('content-security-policy', contentSecurityPolicy)
      .type('text/html; charset=utf-8')
      .send(renderProblemPage(name as ProblemName))
  })
}
