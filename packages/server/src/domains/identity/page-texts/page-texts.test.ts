import assert from 'node:assert/strict'
import { readdir, readFile } from 'node:fs/promises'
import { fileURLToPath } from 'node:url'
import { join } from 'node:path'
import { test } from 'node:test'
import { french } from './french.ts'
import { german } from './german.ts'
import { choosePageLanguage } from './page-language.ts'
import { fill, sentence, verbatim } from './page-text.ts'
import { translateText } from './translate-page.ts'

const placeholdersOf = (text: string): string[] => [...new Set(text.match(/\{\w+\}/g))].toSorted()

/** Code is between two of them. */
const countBackticks = (text: string): number => text.split('`').length - 1

test('translations have the placeholders and the code of their English, and no others', () => {
  for (const table of [german, french])
    for (const [english, translated] of Object.entries(table)) {
      assert.deepEqual(placeholdersOf(translated), placeholdersOf(english), english)
      assert.equal(countBackticks(translated), countBackticks(english), english)
      assert.ok(translated.trim() === translated && translated !== '', english)
    }
})

/** Roles are values of the database. */
const roles = ['owner', 'admin', 'billing', 'member']

test('every text of the tables is one of a page', async () => {
  const folder = fileURLToPath(new URL('..', import.meta.url))
  const names = await readdir(folder, { recursive: true })
  const files = names.filter((name) => name.endsWith('.ts') && !/\.test\.ts$|page-texts\/(german|french)/.test(name))
  const sources = await Promise.all(files.map((name) => readFile(join(folder, name), 'utf8')))
  const source = sources.join('\n')
  const unused = Object.keys(german).filter((text) => !roles.includes(text) && !source.includes(`'${text}'`))
  assert.deepEqual(unused, [])
})

const choose = (acceptLanguage: string | null, ui_locales?: string): string => {
  const query = new URLSearchParams(ui_locales === undefined ? {} : { ui_locales })
  return choosePageLanguage({ query, form: new URLSearchParams(), acceptLanguage })
}

test('a page is in the first language of its reader that it speaks, and English otherwise', () => {
  const cases = {
    'de-AT,de;q=0.9,en;q=0.8': 'de',
    'it-IT,it;q=0.9,fr;q=0.8,en;q=0.7': 'fr',
    'en-GB,fr;q=0.9': 'en',
    'de;q=0.2, fr;q=0.7': 'fr',
    'de;q=0': 'en',
    it: 'en',
    '*': 'en',
    '': 'en',
    ';;;,=q,\u00e9': 'en',
    [`de,${'x'.repeat(10_000)}`]: 'en',
  }
  for (const [header, language] of Object.entries(cases)) assert.equal(choose(header), language, header)
  assert.equal(choose(null), 'en')
})

test('a client names the languages of its user, in their order', () => {
  assert.equal(choose('fr', 'de'), 'de')
  assert.equal(choose('fr', 'it de-CH en'), 'de')
  assert.equal(choose('fr', 'it'), 'fr', 'none of them is spoken')
  assert.equal(choose('fr', ''), 'fr')
})

test('what others have written is not translated, and does not become a placeholder', () => {
  assert.equal(translateText(verbatim('Password'), 'de'), 'Password')
  assert.equal(translateText(fill('Allow {program}?', { program: 'a`b' }), 'en'), "Allow a'b?")
  assert.equal(
    translateText(fill('Join {organization}', { organization: 'Password {x}' }), 'de'),
    'Password {x} beitreten',
  )
  assert.equal(translateText(sentence('constructor'), 'fr'), 'constructor')
  assert.equal(
    translateText({ scope: 'items:read' }, 'en'),
    'see projects, their imagery and its data, and download files',
  )
  assert.match(translateText({ scope: 'items:read' }, 'fr'), /^voir les projets/)
})
