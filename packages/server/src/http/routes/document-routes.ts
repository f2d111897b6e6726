import { readFile } from 'node:fs/promises'
import type { FastifyInstance, FastifyReply } from 'fastify'
import { problems, type ProblemName } from '@swath/contract/problems.ts'
import { operationRegistry } from '@swath/contract/registry.ts'
import { Problem } from '../../engine/problem.ts'
import { apiReferencePath, renderDocsPage, renderProblemPage } from '../pages/docs-page.ts'
import { apiExplorerPagePath } from './console-routes.ts'
import { resolveBaseUrl } from '../server.ts'

/** No external resources, no scripts: the pages are plain HTML with inline styles. */
const contentSecurityPolicy =
  "default-src 'none'; style-src 'unsafe-inline'; img-src 'self' data:; base-uri 'none'; form-action 'none'; frame-ancestors 'none'"

/** The media type that the STAC API requires; browsers display the document only as plain JSON. */
const openapiMediaType = 'application/vnd.oai.openapi+json;version=3.1'

const acceptsOpenapi = (accept = ''): boolean => accept.includes('application/vnd.oai.openapi+json')

/** The serialized OpenAPI document before and after its `servers`. */
type OpenapiParts = readonly [before: Buffer, after: Buffer]

/** Serialized once: a megabyte takes too long to serialize for each request. */
async function readOpenapiDocument(folder: URL): Promise<OpenapiParts> {
  const text = await readDocument(new URL('openapi.json', folder), 'The OpenAPI document')
  const { servers: _servers, ...document } = JSON.parse(text) as Record<string, unknown>
  return [Buffer.from(`${JSON.stringify(document).slice(0, -1)},"servers":`), Buffer.from('}')]
}

/** A printed document; 503 if nothing has printed it. */
async function readDocument(file: URL, title: string): Promise<string> {
  try {
    return await readFile(file, 'utf8')
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ENOENT') throw error
    throw new Problem(
      'unavailable',
      `${title} was not printed when this server was installed: "npm run build" prints it.`,
    )
  }
}

/** Pages of the reference: one for each first segment of an operation id, and one on schemas. */
const referencePages = new Set(['schemas', ...operationRegistry.map(({ id }) => id.split('.')[0] ?? '')])

/**
 * The API documentation and the OpenAPI document, without a token. Files are read at the first request.
 *
 * @param options.folder of the printed documents, `openapi.json` and `reference/`.
 */
export function registerApiDocumentationRoutes(
  app: FastifyInstance,
  options: { folder: URL; baseUrl: string | null; hasConsole: boolean },
): void {
  const { folder, baseUrl, hasConsole } = options
  let parts: OpenapiParts | undefined
  let docsPage: string | undefined
  const openapiDocumentFor = async (base: string): Promise<Buffer> => {
    const [before, after] = (parts ??= await readOpenapiDocument(folder))
    return Buffer.concat([before, Buffer.from(JSON.stringify([{ url: base }])), after])
  }
  const sendPage = (reply: FastifyReply, page: string): FastifyReply =>
    reply.header('content-security-policy', contentSecurityPolicy).type('text/html; charset=utf-8').send(page)
  if (!hasConsole) app.get('/', async (_request, reply) => reply.redirect('/docs', 302))
  app.get('/openapi.json', async (request, reply) =>
    reply
      .type(acceptsOpenapi(request.headers.accept) ? openapiMediaType : 'application/json; charset=utf-8')
      .header('vary', 'accept')
      .send(await openapiDocumentFor(resolveBaseUrl(request, baseUrl))),
  )
  app.get('/docs', async (_request, reply) =>
    sendPage(reply, (docsPage ??= renderDocsPage(hasConsole ? apiExplorerPagePath : null))),
  )
  app.get(`${apiReferencePath}/:name`, async (request, reply) => {
    const { name } = request.params as { name: string }
    if (!referencePages.has(name)) throw new Problem('not-found', 'The reference has no page of that name.')
    return sendPage(reply, await readDocument(new URL(`reference/${name}.html`, folder), 'The reference'))
  })
  app.get('/problems/:name', async (request, reply) => {
    const { name } = request.params as { name: string }
    if (!Object.hasOwn(problems, name)) throw new Problem('not-found', 'There is no problem type of that name.')
    return sendPage(reply, renderProblemPage(name as ProblemName))
  })
}
