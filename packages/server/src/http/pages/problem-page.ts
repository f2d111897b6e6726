import type { AccountLanguage } from '@swath/contract/schemas/people/account.ts'
import type { HtmlFormPage } from './form-page.ts'

interface ProblemPageTexts {
  readonly title: string
  readonly tooMany: string
  readonly internal: string
  readonly advice: string
  readonly trace: string
}

const texts: Readonly<Record<AccountLanguage, ProblemPageTexts>> = {
  en: {
    title: 'This page is not available now',
    tooMany: 'There were too many attempts.',
    internal: 'Something went wrong on the server.',
    advice: 'Go back and try again in a moment.',
    trace: 'Trace',
  },
  de: {
    title: 'Diese Seite ist gerade nicht verfügbar',
    tooMany: 'Es waren zu viele Versuche.',
    internal: 'Auf dem Server ist etwas schiefgegangen.',
    advice: 'Gehen Sie zurück, und versuchen Sie es gleich noch einmal.',
    trace: 'Kennung',
  },
  fr: {
    title: 'Cette page n’est pas disponible pour le moment',
    tooMany: 'Il y a eu trop d’essais.',
    internal: 'Une erreur s’est produite sur le serveur.',
    advice: 'Revenez en arrière et réessayez dans un instant.',
    trace: 'Trace',
  },
}

/** The page of a problem, without what only an operator understands. */
export function createProblemPage(
  { status, message }: { readonly status: number; readonly message: string },
  traceId: string,
  language: AccountLanguage,
): HtmlFormPage {
  const { title, tooMany, internal, advice, trace } = texts[language]
  const reason = status >= 500 ? internal : status === 429 ? tooMany : message
  return { language, title, paragraphs: [reason, advice, `${trace} \`${traceId}\``], form: null }
}
