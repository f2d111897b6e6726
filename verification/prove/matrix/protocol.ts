import { newId } from '../../../packages/server/src/platform/ids.ts'
import type { MatrixPrincipal, Target, World } from './facts.ts'
import { compareAbsent, findRevealed, normalize } from './judge.ts'
import type { MatrixRun } from './run-cases.ts'
import { readAnswer } from './send-case.ts'

interface ProtocolCall {
  readonly principal: string
  readonly target: Target
  readonly method: string
  readonly path: string
  readonly bearer: string | null
  readonly body?: string
}

const users = '/scim/v2/Users'
const rename = {
  schemas: ['urn:ietf:params:scim:api:messages:2.0:PatchOp'],
  Operations: [{ op: 'replace', path: 'active', value: false }],
}

/** The routes of a directory about one person. */
const directoryRoutes = (user: string): readonly Pick<ProtocolCall, 'method' | 'path' | 'body'>[] => [
  { method: 'GET', path: `${users}/${user}` },
  { method: 'PATCH', path: `${users}/${user}`, body: JSON.stringify(rename) },
  { method: 'PUT', path: `${users}/${user}`, body: JSON.stringify({ userName: 'a@example.org' }) },
  { method: 'DELETE', path: `${users}/${user}` },
  { method: 'GET', path: `/scim/v2/Groups/${user}` },
  { method: 'DELETE', path: `/scim/v2/Groups/${user}` },
  { method: 'GET', path: `${users}?filter=${encodeURIComponent(`id eq "${user}"`)}` },
]

async function send(run: MatrixRun, { principal, target, method, path, bearer, body }: ProtocolCall) {
  const type = body === undefined ? {} : { 'content-type': 'application/scim+json' }
  const headers = { ...type, ...(bearer === null ? {} : { authorization: `Bearer ${bearer}` }) }
  const response = await fetch(`${run.url}${path}`, {
    method,
    headers,
    redirect: 'manual',
    ...(body === undefined ? {} : { body }),
  })
  const answer = await readAnswer(response)
  run.table.count(principal, target, answer.status)
  const revealed = findRevealed(run.secrets.ofOrganization, answer, `${path} ${body ?? ''}`)
  if (revealed.length > 0) run.violations.push(`${principal}, ${method} ${path}: reveals ${revealed.join(', ')}`)
  return answer
}

/** Nobody but a directory is one. */
export async function tryDirectoryRoutes(
  run: MatrixRun,
  { name, credential }: MatrixPrincipal,
  world: World,
): Promise<void> {
  const bearer = credential.bearer ? await credential.bearer() : null
  const people: readonly (readonly [Target, string])[] = [
    ['own', world.own.otherUser],
    ['other organization', world.foreign.otherUser],
    ['random', newId()],
  ]
  for (const [target, user] of people)
    for (const route of directoryRoutes(user)) {
      const { status } = await send(run, { ...route, principal: name, target, bearer })
      if (status !== 401) run.violations.push(`${name}, ${route.method} ${route.path}: ${status} instead of 401`)
    }
}

/** A directory sees the people of its organization, and answers about others as about nobody. */
export async function tryDirectory(run: MatrixRun, { own, foreign }: World): Promise<void> {
  const { token: bearer } = await own.client.call('organizations.scim_tokens.create', {
    name: 'Directory of the proof',
  })
  const principal = 'directory'
  const unknown = newId()
  const ofUnknown = directoryRoutes(unknown)
  for (const [at, route] of directoryRoutes(foreign.otherUser).entries()) {
    const other = await send(run, { ...route, principal, target: 'other organization', bearer })
    const random = await send(run, { ...ofUnknown[at]!, principal, target: 'random', bearer })
    const difference = compareAbsent(normalize(other, foreign.otherUser), normalize(random, unknown))
    if (difference) run.violations.push(`${principal}, ${route.method} ${route.path}: ${difference}`)
  }
  const { body } = await send(run, { principal, target: 'none', method: 'GET', path: users, bearer })
  if (!body.includes('totalResults')) run.violations.push(`${principal}: ${body} instead of a list`)
}
