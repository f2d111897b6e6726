import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import type { AccountLanguage } from '@swath/contract/schemas/people/account.ts'
import { chooseAcceptedLanguage } from '../../platform/html/accepted-language.ts'
import { createFormPageHeaders, renderHtmlFormPage, type HtmlFormPage } from '../pages/form-page.ts'

/** The texts of the page in a language. */
export interface UnsubscribeTexts {
  readonly ask: string
  /** `{description}` */
  readonly askBody: string
  readonly end: string
  readonly done: string
  readonly doneBody: string
  readonly invalid: string
  readonly invalidBody: string
}

export interface UnsubscribeRoutes {
  readonly path: string
  textsIn(language: AccountLanguage): UnsubscribeTexts
  /** The description of the e-mails that the link ends; null for an invalid token. */
  describe(token: string, language: AccountLanguage): string | null
  /** False for an invalid token. */
  unsubscribe(token: string): Promise<boolean>
}

/** Mail programs send `List-Unsubscribe=One-Click` in one of these (RFC 8058); the token alone decides. */
const formTypes = ['application/x-www-form-urlencoded', 'multipart/form-data']
const max_form_bytes = 16 * 1024
const max_token_length = 500

const messagePage = (language: AccountLanguage, title: string, text: string): HtmlFormPage => ({
  language,
  title,
  paragraphs: [text],
  form: null,
})

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
      const [token, language] = [readToken(request), chooseAcceptedLanguage(request.headers['accept-language'])]
      const texts = routes.textsIn(language)
      const description = routes.describe(token, language)
      return description === null
        ? sendPage(reply, 404, messagePage(language, texts.invalid, texts.invalidBody))
        : sendPage(reply, 200, askPage(language, texts, { description, token }))
    })
    scope.post(routes.path, async (request, reply) => {
      const language = chooseAcceptedLanguage(request.headers['accept-language'])
      const { done, doneBody, invalid, invalidBody } = routes.textsIn(language)
      return (await routes.unsubscribe(readToken(request)))
        ? sendPage(reply, 200, messagePage(language, done, doneBody))
        : sendPage(reply, 404, messagePage(language, invalid, invalidBody))
    })
  })
}

const askPage = (
  language: AccountLanguage,
  { ask, askBody, end }: UnsubscribeTexts,
  { description, token }: { readonly description: string; readonly token: string },
): HtmlFormPage => ({
  language,
  title: ask,
  paragraphs: [askBody.replace('{description}', description)],
  form: {
    query: `token=${encodeURIComponent(token)}`,
    hidden: { 'List-Unsubscribe': 'One-Click' },
    fields: [],
    button: end,
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
