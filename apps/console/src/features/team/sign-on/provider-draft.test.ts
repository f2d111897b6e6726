import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { IdentityProvider } from '@swath/client/operations.ts'
import { createProviderDraft, isProviderComplete, toProviderInput } from './provider-draft.ts'

const provider: IdentityProvider = {
  id: '01890a5d-ac96-774b-bcce-b302099a8057',
  issuer: 'https://login.example.com',
  client_id: 'swath',
  has_client_secret: true,
  scopes: ['openid', 'groups'],
  domains: ['example.com'],
  roles_claim: 'groups',
  mappings: [{ value: 'gis', role: 'admin', projects: [{ project_id: 'p', role: 'viewer' }] }],
  default_role: 'member',
  mode: 'required',
  email_trust: 'domain',
  just_in_time: false,
  emergency_access: ['owner'],
  redirect_uri: '',
  backchannel_logout_uri: '',
  created_at: '',
  updated_at: '',
}

test('a provider that is saved as it was keeps all its settings, and its secret', () => {
  const input = toProviderInput(createProviderDraft(provider, []), true)
  assert.deepEqual(input, {
    issuer: provider.issuer,
    client_id: provider.client_id,
    client_secret: null,
    scopes: provider.scopes,
    domains: provider.domains,
    roles_claim: 'groups',
    mappings: provider.mappings,
    default_role: 'member',
    mode: 'required',
    email_trust: 'domain',
    just_in_time: false,
    emergency_access: ['owner'],
  })
})

test('who is not an owner leaves the emergency access as it is', () => {
  assert.equal(toProviderInput(createProviderDraft(provider, []), false).emergency_access, null)
})

test('a new provider begins with the verified domains and is complete with issuer, client and names of its groups', () => {
  const draft = createProviderDraft(null, ['example.com'])
  assert.deepEqual(draft.domains, ['example.com'])
  assert.equal(isProviderComplete(draft), false)
  const entered = { ...draft, issuer: 'https://login.example.com ', clientId: ' swath', scopes: 'openid, email' }
  assert.equal(isProviderComplete(entered), true)
  assert.deepEqual(toProviderInput(entered, true).scopes, ['openid', 'email'])
  assert.equal(isProviderComplete({ ...entered, mappings: [{ value: ' ', role: '', projects: [] }] }), false)
  assert.equal(isProviderComplete({ ...entered, domains: [] }), false)
})
