import { anyText, type DescribedRoute } from '../described-route.ts'
import { html, jsonOf, route, text } from '../describe-route.ts'
import {
  clientMetadata,
  deviceAnswer,
  form,
  forms,
  introspection,
  keySet,
  registeredClient,
  resourceMetadata,
  serverMetadata,
  tokenAnswer,
  userClaims,
} from './identity-schemas.ts'

const realm = '/realms/public'
const openid = `${realm}/protocol/openid-connect`
const isPublic = true
const refusedAs = 'OAuthError'

/** A page that browsers open, whose form is sent to its own address. */
const page = (path: string, summary: string, query: readonly string[] = []): DescribedRoute[] =>
  (['GET', 'POST'] as const).map((method) =>
    route(method, path, summary, {
      isPublic,
      refusals: [400, 404, 429],
      refusedAs: 'Page',
      query: query.map((name) => text(name, 'A parameter of the link or of the program that opens the page.')),
      ...(method === 'POST' ? { body: form } : {}),
      answers: { '200': { ...html, 'text/plain': anyText }, '302': {}, '303': {} },
    }),
  )

const endpoint = (path: string, summary: string, body: DescribedRoute['body'], answers: DescribedRoute['answers']) =>
  route('POST', path, summary, { isPublic, refusedAs, body, answers, refusals: [400, 401, 429] })

const authorization = ['client_id', 'redirect_uri', 'response_type', 'scope', 'state', 'nonce', 'prompt', 'code_challenge', 'code_challenge_method', 'max_age', 'login_hint'] // prettier-ignore

const pages = [
  ...page(`${openid}/auth`, 'Sign in, and allow a program (authorization endpoint).', authorization),
  ...page('/device', 'Allow the device that shows a code.', ['user_code']),
  ...page('/invitations/accept', 'Accept an invitation.', ['token']),
  ...page(`${realm}/login-actions/reset-password`, 'Choose a new password.', ['token']),
  ...page(`${realm}/login-actions/email`, 'Confirm or refuse an e-mail address.', ['token']),
  ...page(`${realm}/broker/{organization}/endpoint`, 'The answer of the provider of an organization.', ['state', 'code', 'error']), // prettier-ignore
  ...page(`${openid}/logout`, 'Sign out.', ['id_token_hint', 'post_logout_redirect_uri', 'state', 'client_id']),
]

const endpoints = [
  endpoint(`${openid}/token`, 'Tokens for a grant.', forms.token, jsonOf(tokenAnswer)),
  endpoint(`${openid}/auth/device`, 'Codes for a device.', forms.device, jsonOf(deviceAnswer)),
  endpoint(`${openid}/token/introspect`, 'What a token is.', forms.introspect, jsonOf(introspection)),
  endpoint(`${openid}/revoke`, 'End a token.', forms.revoke, { '200': {} }),
  endpoint(`${realm}/broker/{organization}/backchannel-logout`, 'End the sessions that a provider has ended.', forms.backchannelLogout, { '200': {} }), // prettier-ignore
]

const documents = [
  `${realm}/.well-known/openid-configuration`,
  `${openid}/.well-known/openid-configuration`,
  `/.well-known/openid-configuration${realm}`,
  `/.well-known/oauth-authorization-server${realm}`,
  '/.well-known/oauth-authorization-server',
  `${realm}/.well-known/oauth-authorization-server`,
].map((path) =>
  route('GET', path, 'The endpoints of the authorization server.', { isPublic, answers: jsonOf(serverMetadata) }),
)

const registrations = (['POST', 'GET', 'PUT', 'DELETE'] as const).map((method) =>
  route(method, `${realm}/clients-registrations/openid-connect`, 'Register a client (RFC 7591, RFC 7592).', {
    isPublic,
    refusedAs,
    ...(method === 'POST' ? {} : { query: [text('client_id', 'The client.')] }),
    ...(method === 'POST' || method === 'PUT'
      ? { body: { mediaType: 'application/json', schema: clientMetadata, isRequired: true } }
      : {}),
    answers:
      method === 'DELETE'
        ? { '204': {} }
        : { [method === 'POST' ? '201' : '200']: { 'application/json': registeredClient } },
    refusals: [400, 401, 403, 404, 429],
  }),
)

/** OAuth 2.1 and OpenID Connect, with the pages that browsers open. */
export const identityRoutes: readonly DescribedRoute[] = [
  ...pages,
  ...endpoints,
  route('GET', `${openid}/certs`, 'The keys of tokens.', { isPublic, answers: jsonOf(keySet) }),
  ...(['GET', 'POST'] as const).map((method) =>
    route(method, `${openid}/userinfo`, 'Who the caller is.', {
      ...(method === 'POST' ? { body: forms.userinfo } : {}),
      answers: jsonOf(userClaims),
      refusals: [401, 403, 429],
    }),
  ),
  ...documents,
  route('GET', '/.well-known/oauth-protected-resource', 'The authorization server of the API.', {
    isPublic,
    answers: jsonOf(resourceMetadata),
  }),
  ...registrations,
  route('GET', '/passkeys.js', 'The script of pages with passkeys.', {
    isPublic,
    answers: { '200': { 'text/javascript': anyText } },
  }),
]
