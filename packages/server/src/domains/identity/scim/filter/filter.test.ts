import assert from 'node:assert/strict'
import { test } from 'node:test'
import { userType, type ScimResource } from '../schema.ts'
import { ScimProblem } from '../scim-problem.ts'
import { matchesFilter } from './evaluate-filter.ts'
import { parseFilter } from './parse-filter.ts'

const ada: ScimResource = {
  schemas: ['urn:ietf:params:scim:schemas:core:2.0:User'],
  id: '01900000-0000-7000-8000-00000000000b',
  userName: 'Ada@Example.com',
  externalId: 'CaseExact',
  name: { familyName: "O'Malley", givenName: 'Ada' },
  title: 'Engineer "of" maps\\',
  active: true,
  emails: [
    { value: 'ada@example.com', type: 'work', primary: true },
    { value: 'ada@home.example', type: 'home' },
  ],
  'urn:ietf:params:scim:schemas:extension:enterprise:2.0:User': { department: 'Maps', employeeNumber: '7' },
  meta: { resourceType: 'User', created: '2026-01-01T00:00:00.000Z', lastModified: '2026-03-01T12:00:00.000Z' },
}

const matches = (filter: string): boolean => matchesFilter(userType, ada, parseFilter(filter))

/** The examples of RFC 7644 3.4.2.2 and more, with whether they match. */
const cases: readonly [string, boolean][] = [
  ['userName eq "ada@example.com"', true],
  ['USERNAME EQ "ADA@EXAMPLE.COM"', true],
  ['externalId eq "caseexact"', false],
  ['externalId eq "CaseExact"', true],
  ['userName ne "ada@example.com"', false],
  ['title ne "x"', true],
  ['displayName ne "x"', true],
  ['name.familyName co "O\'Malley"', true],
  ['userName sw "A"', true],
  ['userName ew "example.com"', true],
  ['urn:ietf:params:scim:schemas:core:2.0:User:userName sw "a"', true],
  ['urn:ietf:params:scim:schemas:extension:enterprise:2.0:User:department eq "maps"', true],
  ['title pr', true],
  ['displayName pr', false],
  ['emails pr', true],
  ['emails eq "ada@home.example"', true],
  ['emails.type eq "home"', true],
  ['emails[type eq "work" and value co "@example.com"]', true],
  ['emails[type eq "home" and value co "@example.com"]', false],
  ['emails[not (type eq "work")]', true],
  ['emails[primary eq true]', true],
  ['meta.lastModified gt "2026-02-28T00:00:00Z"', true],
  ['meta.lastModified ge "2026-03-01T13:00:00+01:00"', true],
  ['meta.lastModified lt "2026-03-01T12:00:00Z"', false],
  ['meta.lastModified le "2026-03-01T12:00:00Z"', true],
  ['active eq true', true],
  ['active eq false', false],
  ['active eq "true"', false],
  ['displayName eq null', true],
  ['title eq null', false],
  ['title eq "Engineer \\"of\\" maps\\\\"', true],
  ['title co "\\u006Daps"', true],
  ['title pr and userName sw "b" or active eq true', true],
  ['active eq false or title pr and userName sw "b"', false],
  ['(active eq false or title pr) and userName sw "a"', true],
  ['not (active eq true)', false],
  ['not(active eq false) and not (title eq "x")', true],
  ['unknown eq "x"', false],
  ['unknown pr', false],
  ['not (unknown pr)', true],
  ['id eq "01900000-0000-7000-8000-00000000000b"', true],
  ['schemas eq "urn:ietf:params:scim:schemas:core:2.0:User"', true],
]

test('filters match as the standard says', () => {
  for (const [filter, expected] of cases) assert.equal(matches(filter), expected, filter)
})

test('what is not a filter is refused with invalidFilter, also what is too long, too deep or has too many terms', () => {
  const deep = `${'('.repeat(30)}title pr${')'.repeat(30)}`
  const many = Array.from({ length: 101 }, () => 'a pr').join(' or ')
  const texts = [
    '',
    'userName',
    'userName eq',
    'userName xx "a"',
    'userName eq a',
    'userName eq "a',
    'eq "a"',
    '(title pr',
    'title pr)',
    'title pr and',
    'title pr title pr',
    'emails[type eq "a"',
    'emails[emails[type eq "a"]]',
    'not title pr',
    'title eq "\\x"',
    'title eq 01',
    'title eq {}',
    'title eq "a" ; x',
    '\u0000',
    'active gt true',
    'active sw "t"',
    deep,
    many,
    `title eq "${'x'.repeat(2000)}"`,
  ]
  for (const text of texts)
    assert.throws(
      () => matches(text),
      (error) => error instanceof ScimProblem && error.status === 400 && error.scimType === 'invalidFilter',
      text.slice(0, 60),
    )
})
