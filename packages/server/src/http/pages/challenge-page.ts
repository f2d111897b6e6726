import type { CardAuthenticationChallenge } from '../../platform/integrations/payments/embedded/embedded.ts'

/** No external resources, no scripts; the form posts to its own origin. */
export const challengeContentSecurityPolicy =
  "default-src 'none'; style-src 'unsafe-inline'; base-uri 'none'; form-action 'self'; frame-ancestors 'none'"

const style = `
  :root { color-scheme: light dark }
  body { font: 17px/1.5 system-ui, sans-serif; max-width: 26rem; margin: 0 auto; padding: 3rem 1.2rem }
  h1 { font-size: 1.3rem; line-height: 1.3 }
  form { display: grid; gap: .8rem; margin: 2rem 0 }
  button { font: inherit; padding: .9rem; border-radius: .5rem; border: 1px solid #8888; cursor: pointer }
  button[value=complete] { background: #0b5fff; border-color: #0b5fff; color: #fff; font-weight: 600 }
  small { opacity: .75 }`

interface PageText {
  readonly title: string
  readonly text: string
}

const textByState: Readonly<Record<CardAuthenticationChallenge['state'], (amount: string) => PageText>> = {
  open: (amount) => ({
    title: `Confirm the payment of ${amount}`,
    text: 'The bank that issued the card requires its holder to confirm this payment.',
  }),
  completed: (amount) => ({
    title: `The payment of ${amount} is confirmed.`,
    text: 'Send the request again with the same Idempotency-Key to continue.',
  }),
  failed: (amount) => ({
    title: `The payment of ${amount} was refused.`,
    text: 'Send the request again with the same Idempotency-Key to end it, or with a new key to try again.',
  }),
  over: (amount) => ({
    title: `The payment of ${amount} was cancelled.`,
    text: 'Nothing is left to confirm, and nothing was charged.',
  }),
}

const buttons =
  '<form method="post"><button name="answer" value="complete">Complete</button>' +
  '<button name="answer" value="fail">Fail</button></form>'

/** The page of a 3-D Secure challenge of the embedded processor. It contains no text from the request. */
export function renderChallengePage({ state, amount_cents }: CardAuthenticationChallenge): string {
  const { title, text } = textByState[state](`A$${(amount_cents / 100).toFixed(2)}`)
  return (
    '<!doctype html><html lang="en"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width">' +
    `<title>${title}</title><style>${style}</style></head><body><h1>${title}</h1><p>${text}</p>` +
    `${state === 'open' ? buttons : ''}<small>The embedded payment processor moves no real money.</small></body></html>`
  )
}
