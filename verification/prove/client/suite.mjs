// One suite for every runtime: it uses nothing but the package and what all of them have.
import {
  beginSignIn,
  ConnectionError,
  createSwath,
  NotFoundError,
  PriceRequiredError,
  signInWithDevice,
  SpendLimitExceededError,
  ValidationError,
} from '@swath/client'

/**
 * Runs the suite; returns what was violated.
 *
 * @param {{ url: string, username: string, password: string, scope: string, runtime: string }} platform
 * @returns {Promise<{ tried: number, violations: string[] }>}
 */
export async function runSuite({ url, runtime, ...login }) {
  const attempts = []
  const swath = createSwath({
    baseUrl: url,
    auth: login,
    requirePrice: true,
    traceparent: () => '00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01',
    onResponse: (info) => attempts.push(info),
  })
  const violations = []
  let tried = 0
  const context = { url, attempts, runtime }
  const tests = { ...createCallTests(swath, context), ...createConnectionTests(swath, context) }
  for (const [name, run] of Object.entries(tests)) {
    tried++
    await run().catch((error) => violations.push(`${runtime}: ${name}: ${error?.stack ?? error}`))
  }
  return { tried, violations }
}

function check(condition, message) {
  if (!condition) throw new Error(message)
}

/** The error of a call, which has to be one of the class. */
async function refusal(call, constructor) {
  const error = await call.then(
    () => null,
    (thrown) => thrown,
  )
  check(error instanceof constructor, `${constructor.name} was expected, not ${error}`)
  return error
}

const createCallTests = (swath, { url, attempts, runtime }) => ({
  'a call has an output, and hooks are told of it': async () => {
    const { user } = await swath.users.me()
    check(user.email.includes('@'), 'no user')
    const last = attempts.at(-1)
    check(last.operation === 'users.me' && last.status === 200 && last.request_id, JSON.stringify(last))
  },
  'a list is read over its pages': async () => {
    const names = [1, 2, 3].map((number) => `${runtime} ${number}`)
    for (const name of names) await swath.projects.create({ name })
    const first = await swath.projects.list({ limit: 1 })
    check(first.projects.length === 1 && first.total >= 3, 'the first page has one row')
    const all = await swath.projects.list({ limit: 2 }).all()
    check(
      names.every((name) => all.some((project) => project.name === name)),
      'rows are missing',
    )
    check((await swath.projects.list({ limit: 2 }).all({ max: 3 })).length === 3, 'the bound is kept')
  },
  'problems are errors of their classes': async () => {
    const item_id = '01890a5d-ac96-774b-bcce-b302099a8057'
    const missing = await refusal(swath.items.get({ item_id }), NotFoundError)
    check(missing.traceId && missing.docsUrl === `${url}/problems/not-found`, String(missing))
    const invalid = await refusal(swath.items.get({ item_id: 'x' }), ValidationError)
    check(invalid.fieldErrors[0].path === 'item_id', JSON.stringify(invalid.fieldErrors))
  },
  'a price is passed on, and nothing is spent without one': async () => {
    const captures = await findCaptures(swath)
    const quote = await swath.orders.quote({ captures })
    const { place } = swath.orders.archive
    const tried = await place({}, { price: quote, dryRun: true })
    check(tried.dry_run.entries.length > 0, 'no entries')
    await refusal(place({ captures }, { maxCredits: 0, dryRun: true }), SpendLimitExceededError)
    await refusal(place({ captures }), PriceRequiredError)
  },
})

const createConnectionTests = (swath, { url, runtime }) => ({
  'events arrive as they happen': async () => {
    const caller = new AbortController()
    const options = { signal: caller.signal, onOpen: () => void swath.projects.create({ name: `${runtime} streamed` }) }
    for await (const event of swath.events.stream({ event_type: 'project.created' }, options)) {
      check(event.event_type === 'project.created', JSON.stringify(event))
      break
    }
    caller.abort()
  },
  'lines and bytes are read': async () => {
    let lines = 0
    for await (const line of swath.billing.ledger.export({})) if (typeof line === 'object') lines++
    check(lines > 0, 'no lines')
    const quicklook = await swath.catalog.image.quicklook({ host_name: 'commercial', image_id: 'naip-va-17n' })
    check(quicklook instanceof Uint8Array && quicklook.length > 100, 'no image')
  },
  'the signal ends a call, and a server that is not there is a ConnectionError': async () => {
    const caller = new AbortController()
    const call = swath.users.me({}, { signal: caller.signal })
    caller.abort()
    check((await call.catch((error) => error)).name === 'AbortError', 'not aborted')
    const absent = createSwath({ baseUrl: 'http://127.0.0.1:9', maxRetries: 0 })
    await refusal(absent.stac.conformance(), ConnectionError)
  },
  'sign-ins of devices and of browsers begin': async () => {
    const caller = new AbortController()
    let code = null
    const onCode = (shown) => {
      code = shown
      caller.abort()
    }
    await signInWithDevice({ baseUrl: url }, { onCode, signal: caller.signal }).catch(() => undefined)
    check(code?.verification_uri === `${url}/device`, JSON.stringify(code))
    const started = await beginSignIn(
      { baseUrl: url },
      { clientId: 'swath-console', redirectUri: `${url}/auth/callback` },
    )
    check(new URL(started.url).searchParams.get('code_challenge').length === 43, started.url)
  },
})

/** A scene that has a price. */
async function findCaptures(swath) {
  const { features } = await swath.catalog.search({ host_name: 'commercial', ids: ['naip-va-17n'] })
  return features.map(({ id, geometry }) => ({ id, geometry, host: 'commercial' }))
}
