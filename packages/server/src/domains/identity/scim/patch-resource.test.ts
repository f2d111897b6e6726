import assert from 'node:assert/strict'
import { test } from 'node:test'
import { groupType, userType, type ScimResource } from './schema.ts'
import { patchResource, patchSchema, readPatchOperations } from './patch-resource.ts'
import { ScimProblem, type ScimErrorType } from './scim-problem.ts'

const enterprise = 'urn:ietf:params:scim:schemas:extension:enterprise:2.0:User'

const ada: ScimResource = {
  userName: 'ada@example.com',
  name: { givenName: 'Ada' },
  emails: [
    { value: 'ada@example.com', type: 'work', primary: true },
    { value: 'ada@home.example', type: 'home' },
  ],
  [enterprise]: { department: 'Maps' },
}

const patch = (operations: readonly object[], resource = ada, type = userType): ScimResource =>
  patchResource(type, resource, readPatchOperations({ schemas: [patchSchema], Operations: operations }))

const refused = (scimType: ScimErrorType) => (error: unknown) =>
  error instanceof ScimProblem && error.status === 400 && error.scimType === scimType

test('single attributes are added, replaced and removed, with and without a path', () => {
  assert.equal(patch([{ op: 'add', path: 'title', value: 'Engineer' }])['title'], 'Engineer')
  assert.equal(patch([{ op: 'Replace', path: 'active', value: 'False' }])['active'], false)
  assert.deepEqual(patch([{ op: 'replace', value: { active: false, name: { familyName: 'L' } } }])['name'], {
    givenName: 'Ada',
    familyName: 'L',
  })
  assert.deepEqual(patch([{ op: 'replace', path: 'name.givenName', value: 'A' }])['name'], { givenName: 'A' })
  assert.equal(patch([{ op: 'remove', path: 'name.givenName' }])['name'], undefined)
  assert.equal(patch([{ op: 'remove', path: 'emails' }])['emails'], undefined)
  assert.deepEqual(patch([{ op: 'add', value: { 'name.familyName': 'L' } }])['name'], {
    givenName: 'Ada',
    familyName: 'L',
  })
})

test('extensions are addressed by their id', () => {
  assert.deepEqual(patch([{ op: 'add', path: `${enterprise}:division`, value: 'GIS' }])[enterprise], {
    department: 'Maps',
    division: 'GIS',
  })
  assert.deepEqual(patch([{ op: 'replace', value: { [`${enterprise}:department`]: 'X' } }])[enterprise], {
    department: 'X',
  })
  assert.deepEqual(patch([{ op: 'add', value: { [enterprise]: { costCenter: '1' } } }])[enterprise], {
    department: 'Maps',
    costCenter: '1',
  })
  assert.equal(patch([{ op: 'remove', path: enterprise }])[enterprise], undefined)
})

test('values of a list are chosen by a filter', () => {
  const emailsAfter = (...operations: object[]) => patch(operations)['emails']
  assert.deepEqual(emailsAfter({ op: 'replace', path: 'emails[type eq "home"].value', value: 'a@b.c' }), [
    { value: 'ada@example.com', type: 'work', primary: true },
    { value: 'a@b.c', type: 'home' },
  ])
  assert.deepEqual(emailsAfter({ op: 'remove', path: 'emails[type eq "work"]' }), [
    { value: 'ada@home.example', type: 'home' },
  ])
  assert.deepEqual(emailsAfter({ op: 'add', path: 'emails[type eq "other"].value', value: 'a@b.c' }), [
    ...(ada['emails'] as object[]),
    { type: 'other', value: 'a@b.c' },
  ])
  assert.deepEqual(emailsAfter({ op: 'add', path: 'emails', value: [{ value: 'new@b.c', primary: true }] }), [
    { value: 'ada@example.com', type: 'work', primary: false },
    { value: 'ada@home.example', type: 'home' },
    { value: 'new@b.c', primary: true },
  ])
  assert.deepEqual(emailsAfter({ op: 'replace', path: 'emails[type eq "home"].primary', value: true }), [
    { value: 'ada@example.com', type: 'work', primary: false },
    { value: 'ada@home.example', type: 'home', primary: true },
  ])
  assert.deepEqual(emailsAfter({ op: 'add', path: 'emails', value: [(ada['emails'] as object[])[0]] }), ada['emails'])
})

test('members of a group are added once, and removed by a filter or by value', () => {
  const [one, two] = ['01900000-0000-7000-8000-000000000001', '01900000-0000-7000-8000-000000000002']
  const group = { displayName: 'GIS', members: [{ value: one, type: 'User' }] }
  const membersAfter = (operation: object) => patch([operation], group, groupType)['members']
  assert.deepEqual(
    membersAfter({ op: 'add', path: 'members', value: [{ value: one }, { value: two, display: 'x' }] }),
    [{ value: one, type: 'User' }, { value: two }],
  )
  assert.equal(membersAfter({ op: 'remove', path: `members[value eq "${one}"]` }), undefined)
  assert.equal(membersAfter({ op: 'remove', path: 'members', value: [{ value: one }] }), undefined)
  assert.deepEqual(membersAfter({ op: 'remove', path: 'members', value: [{ value: two }] }), group.members)
  assert.equal(membersAfter({ op: 'remove', path: 'members' }), undefined)
})

test('a patch that cannot be applied is refused as a whole, with its kind', () => {
  const cases: readonly [object, ScimErrorType][] = [
    [{ op: 'replace', path: 'unknown', value: 1 }, 'invalidPath'],
    [{ op: 'replace', path: '__proto__.polluted', value: 1 }, 'invalidPath'],
    [{ op: 'replace', path: 'constructor', value: 1 }, 'invalidPath'],
    [{ op: 'replace', path: 'userName[value eq "a"]', value: 'x' }, 'invalidPath'],
    [{ op: 'replace', path: 'emails[type eq "x"].value', value: 'x' }, 'noTarget'],
    [{ op: 'replace', path: 'emails[type eq]', value: 'x' }, 'invalidFilter'],
    [{ op: 'replace', path: 'id', value: 'x' }, 'mutability'],
    [{ op: 'replace', path: 'groups', value: [] }, 'mutability'],
    [{ op: 'add', path: 'meta.created', value: 'x' }, 'mutability'],
    [{ op: 'remove', path: 'userName' }, 'invalidValue'],
    [{ op: 'remove' }, 'noTarget'],
    [{ op: 'replace', path: 'active', value: 'perhaps' }, 'invalidValue'],
    [{ op: 'replace', path: 'title', value: { a: 1 } }, 'invalidValue'],
    [{ op: 'replace', path: 'title', value: 'a\u0000b' }, 'invalidValue'],
    [
      {
        op: 'replace',
        path: 'emails',
        value: [
          { value: 'a', primary: true },
          { value: 'b', primary: true },
        ],
      },
      'invalidValue',
    ],
    [{ op: 'move', path: 'title' }, 'invalidSyntax'],
    [{ op: 'add', value: 'text' }, 'invalidSyntax'],
  ]
  for (const [operation, kind] of cases)
    assert.throws(() => patch([operation]), refused(kind), JSON.stringify(operation))
  assert.throws(() => readPatchOperations({ Operations: [] }), refused('invalidSyntax'))
  const many = Array.from({ length: 101 }, () => ({ op: 'add', path: 'title', value: 'x' }))
  assert.throws(() => patch(many), refused('invalidValue'))
  assert.equal(({} as Record<string, unknown>)['polluted'], undefined)
})
