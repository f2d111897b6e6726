// Serves the OpenID Connect provider of a customer: node oidc-provider-server.mjs <folder of the judges> <client as JSON> <port>.
// Whoever the request names is signed in without a page; the proof says who is in which group.
import { createServer } from 'node:http'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'

const [folder, clientText, port] = process.argv.slice(2)
const { Provider } = await import(pathToFileURL(join(folder, 'node_modules/oidc-provider/lib/index.js')).href)
const client = JSON.parse(clientText)
const issuer = `http://127.0.0.1:${port}`
const groupsOf = new Map()
const sidOf = new Map()

const provider = new Provider(issuer, {
  clients: [client],
  cookies: { keys: ['a key of the proof'] },
  claims: { openid: ['sub'], email: ['email', 'email_verified'], profile: ['name'], groups: ['groups'] },
  scopes: ['openid', 'email', 'profile', 'groups'],
  conformIdTokenClaims: false,
  features: { devInteractions: { enabled: false }, backchannelLogout: { enabled: true } },
  // Its own fetch refuses addresses of this machine.
  fetch: (url, options) => fetch(url, { ...options, dispatcher: undefined }),
  interactions: { url: (_context, { uid }) => `/interaction/${uid}` },
  findAccount: (_context, sub) => ({
    accountId: sub,
    claims: () => ({ sub, email: sub, email_verified: true, name: 'Ada', groups: groupsOf.get(sub) ?? [] }),
  }),
})
provider.on('authorization.success', ({ oidc }) =>
  sidOf.set(oidc.session.accountId, oidc.session.sidFor(client.client_id)),
)

/** Signs in who is named, and consents. */
async function finishInteraction(request, response) {
  const { params, prompt, session, grantId } = await provider.interactionDetails(request, response)
  if (prompt.name === 'login')
    return provider.interactionFinished(request, response, { login: { accountId: params.login_hint } })
  const grant = grantId
    ? await provider.Grant.find(grantId)
    : new provider.Grant({ accountId: session.accountId, clientId: params.client_id })
  grant.addOIDCScope(params.scope)
  return provider.interactionFinished(
    request,
    response,
    { consent: { grantId: await grant.save() } },
    { mergeWithLastSubmission: true },
  )
}

/** `/control?email=…&groups=…` sets the groups of an account, `/logout?email=…` signs it out. */
async function control({ pathname, searchParams }, response) {
  const email = searchParams.get('email')
  if (pathname === '/control')
    groupsOf.set(
      email,
      searchParams
        .get('groups')
        .split(',')
        .filter((name) => name !== ''),
    )
  else await (await provider.Client.find(client.client_id)).backchannelLogout(email, sidOf.get(email))
  response.end('ok')
}

const handle = provider.callback()
createServer((request, response) => {
  const url = new URL(request.url, issuer)
  const fail = (error) => {
    console.error(error)
    response.statusCode = 500
    response.end(String(error))
  }
  if (url.pathname.startsWith('/interaction/')) finishInteraction(request, response).catch(fail)
  else if (url.pathname === '/control' || url.pathname === '/logout') control(url, response).catch(fail)
  else handle(request, response)
}).listen(Number(port), '127.0.0.1')
