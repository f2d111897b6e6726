import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { createFormPageHeaders, renderHtmlFormPage, type HtmlFormPage } from '../pages/form-page.ts'

export interface UnsubscribeRoutes {
  readonly path: string
  /** The description of the e-mails that the link ends; null for an invalid token. */
  describe(token: string): string | null
  /** False for an invalid token. */
  unsubscribe(token: string): Promise<boolean>
}

/** Mail programs send `List-Unsubscribe=One-Click` in one of these (RFC 8058); the token alone decides. */
const formTypes = ['application/x-www-form-urlencoded', 'multipart/form-data']
const max_form_bytes = 16 * 1024
const max_token_length = 500

const invalidPage: HtmlFormPage = {
  title: 'This link is not valid',
  paragraphs: ['Copy the whole link of the e-mail, or choose your e-mails in the console.'],
  form: null,
}

const donePage: HtmlFormPage = {
  title: 'You receive no more of these e-mails',
  paragraphs: ['The notifications are still in the console, where you can choose them again.'],
  form: null,
}

/**
 * The page that ends e-mails, without a sign-in. A GET changes nothing, because mail programs open links to check them; its button
 * and the one-click request of mail programs send a POST.
 */
export function registerUnsubscribeRoutes(app: FastifyInstance, routes: UnsubscribeRoutes): void {
  void app.register(async (scope) => {
    scope.addContentTypeParser(formTypes, { parseAs: 'string', bodyLimit: max_form_bytes }, (_request, _text, done) =>
      done(null, null),
    )
    scope.get(routes.path, async (request, reply) => {
      const token = readToken(request)
      const description = routes.describe(token)
      return description === null
        ? sendPage(reply, 404, invalidPage)
        : sendPage(reply, 200, askPage(description, token))
    })
    scope.post(routes.path, async (request, reply) =>
      (await routes.unsubscribe(readToken(request)))
        ? sendPage(reply, 200, donePage)
        : sendPage(reply, 404, invalidPage),
    )
  })
}

const askPage = (description: string, token: string): HtmlFormPage => ({
  title: 'End these e-mails?',
  paragraphs: [`You receive an e-mail when: ${description}`],
  form: {
    query: `token=${encodeURIComponent(token)}`,
    hidden: { 'List-Unsubscribe': 'One-Click' },
    fields: [],
    button: 'End these e-mails',
    error: null,
    redirect_uri: null,
  },
})

function readToken({ url }: FastifyRequest): string {
  const token = new URL(url, 'http://localhost').searchParams.get('token') ?? ''
  return token.length <= max_token_length ? token : ''
}

const sendPage = (reply: FastifyReply, status: number, page: HtmlFormPage): FastifyReply =>
  reply
    .code(status)
    .headers({ ...createFormPageHeaders(page), 'cache-control': 'no-store' })
    .type('text/html; charset=utf-8')
    .send(renderHtmlFormPage(page))
