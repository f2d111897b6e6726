import assert from 'node:assert/strict'
import { test } from 'node:test'
import { eventDefinitions } from '@swath/contract/events.ts'
import { notificationKinds, type NotificationKindName } from '@swath/contract/notification-kinds.ts'
import type { AccountLanguage } from '@swath/contract/schemas/people/account.ts'
import type { OrganizationTime } from '../../platform/clock.ts'
import { composeNotificationEmail } from './send-email.ts'
import { computeNextDigestTime } from './notify.ts'
import { renderNotificationText } from './render-text.ts'
import { notificationTexts } from './texts/texts-by-language.ts'
import { createUnsubscribeLinks } from './unsubscribe-links.ts'

test('placeholders are filled, numbers rounded, and absent values leave nothing', () => {
  assert.equal(renderNotificationText('{a} of {b}: {c} {d}', { a: 0.1 + 0.2, b: '<b>', c: null }), '0.3 of <b>:')
  assert.equal(renderNotificationText('{constructor}', {}), '')
  assert.equal(renderNotificationText('{a}', { a: 'x'.repeat(2000) }).length, 500)
})

test('times, large numbers and comparisons are written as people read them', () => {
  const data = { by: '2026-11-28T23:48:28.406Z', credits: 1_234_567, year: 2027, value: 1796.1234, comparison: 'gt' }
  assert.equal(
    renderNotificationText('{credits} by {by}, {year}: {value} {comparison}', data),
    '1,234,567 by 28 Nov 2026, 23:48 UTC, 2027: 1796.12 above',
  )
  assert.equal(renderNotificationText('{expression}', { expression: 'gt' }), 'gt')
})

test('amounts have groups and cents, lists are counted, and codes are words', () => {
  const data = { creditsCaptured: 1200, total_aud: 1234.5, scene_ids: ['a', 'b'], exp_year: 2027 }
  assert.equal(
    renderNotificationText('{creditsCaptured} credits, {total_aud} AUD, {scene_ids} scenes, {exp_year}', data),
    '1,200 credits, 1,234.50 AUD, 2 scenes, 2027',
  )
  assert.equal(renderNotificationText('{reason}', { reason: 'insufficient_funds' }), 'insufficient funds')
  assert.equal(renderNotificationText('{reason}', { reason: 'gone' }), 'the endpoint has answered that it is gone')
  assert.equal(renderNotificationText('{name}', { name: 'north_field' }), 'north_field')
})

test('a name in Arabic does not change the order of the sentence', () => {
  assert.equal(
    renderNotificationText('Report: {name}, ready', { name: 'مزارع (2030) North' }),
    'Report: \u2068مزارع (2030) North\u2069, ready',
  )
})

test('every kind of notification has a text without gaps for the example of its event', () => {
  for (const [kind, { event, title, body, link }] of Object.entries(notificationKinds)) {
    const data = { ...eventDefinitions[event].example, entity_id: 'id', entity_name: 'Order of the harbour' }
    for (const text of [title, body, link].map((template) => renderNotificationText(template, data)))
      assert.ok(text !== '' && !/ {2}|“”| [.,;]|[{}]|\d{4}-\d\d-\d\dT/.test(text), `${kind}: ${text}`)
  }
})

const placeholdersOf = (text: string): string[] => (text.match(/\{\w+\}/g) ?? []).toSorted()

test('the texts of every language have the placeholders of the English ones', () => {
  for (const [language, { kinds, mail, page }] of Object.entries(notificationTexts))
    for (const [kind, { title, body, description }] of Object.entries(kinds)) {
      const english = notificationTexts.en.kinds[kind as NotificationKindName]
      assert.deepEqual(placeholdersOf(title), placeholdersOf(english.title), `${language}, ${kind}`)
      assert.deepEqual(placeholdersOf(body), placeholdersOf(english.body), `${language}, ${kind}`)
      assert.ok(language === 'en' || description !== english.description, `${language}, ${kind}`)
      assert.deepEqual([mail.several, mail.membership, page.askBody].flatMap(placeholdersOf), [
        '{count}',
        '{organization}',
        '{description}',
      ])
    }
})

test('numbers, times and words are those of the language and the time zone of the reader', () => {
  const data = { credits: 1_234_567.5, by: '2026-07-01T23:48:28.406Z', comparison: 'gt', reason: 'gone' }
  const text = '{credits} | {by} | {comparison} | {reason}'
  assert.equal(
    renderNotificationText(text, data, { language: 'de', time_zone: 'Europe/Berlin' }),
    '1.234.570 | 2. Juli 2026, 01:48 MESZ | über | der Endpunkt hat geantwortet, dass es ihn nicht mehr gibt',
  )
  assert.equal(
    renderNotificationText(text, data, { language: 'fr', time_zone: 'America/Montreal' }).replaceAll(/\s/g, ' '),
    '1 234 570 | 1 juil. 2026, 19:48 UTC−4 | au-dessus de | le point de terminaison a répondu qu’il n’existe plus',
  )
})

test('a value with a placeholder is not filled again', () => {
  assert.equal(renderNotificationText('{a}', { a: '{b}', b: 'secret' }), '{b}')
})

test('events until seven in the morning are in the e-mail of that day, later ones in that of the next', () => {
  const due = (time: string) => computeNextDigestTime(new Date(time) as OrganizationTime).toISOString()
  assert.equal(due('2026-03-01T06:59:59.999Z'), '2026-03-01T07:00:00.000Z')
  assert.equal(due('2026-03-01T07:00:00.000Z'), '2026-03-02T07:00:00.000Z')
  assert.equal(due('2026-03-01T23:00:00.000Z'), '2026-03-02T07:00:00.000Z')
})

const stored = { entity_id: 'id', entity_name: null, data: null }

const compose = (body: string, language: AccountLanguage = 'en', data: object | null = null) =>
  composeNotificationEmail({
    locale: { language, time_zone: 'UTC' },
    id: 'id',
    to: { name: null, address: 'a@example.org' },
    date: new Date(0),
    notifications: [
      { ...stored, id: '1', kind: 'alert', title: '<img src=x>', body, link: '/watch', is_closed: false, ...data },
    ],
    publicUrl: 'https://swath.example.org',
    organization_name: 'Acme & <b>',
    attachments: [],
    unsubscribe_url: 'https://swath.example.org/u?a=1&b=2',
  })

test('HTML escapes what users have written', () => {
  const { html, text } = compose('"a" & b')
  assert.ok(!html.includes('<img') && html.includes('&lt;img src=x&gt;') && html.includes('&quot;a&quot; &amp; b'))
  assert.ok(text.includes('<img src=x>') && text.includes('https://swath.example.org/watch'))
})

test('an e-mail is in the language of its receiver; one whose event is gone has the text that was stored', () => {
  const event = {
    rule_name: 'Ernte',
    statistic: 'mean',
    expression: 'b1',
    value: 0.25,
    comparison: 'lt',
    threshold: 0.3,
  }
  const { subject, text, html } = compose('unused', 'de', { data: event })
  assert.equal(subject, 'Alarm: Ernte')
  assert.match(text, /Der Wert \(mean\) von b1 ist 0,25; die Regel löst aus, wenn er unter 0,3 liegt\./)
  assert.match(text, /Sie erhalten diese E-Mail als Mitglied von Acme & <b>\.\nDiese E-Mails beenden: https/)
  assert.match(html, /<html lang="de">/)
  assert.equal(compose('kept', 'de').subject, '<img src=x>')
})

test('an e-mail names the organization, fits narrow screens and has dark colours', () => {
  const { html, text } = compose('https://hooks.example.org/a-long-path')
  assert.ok(text.includes('as a member of Acme & <b>.\nEnd these e-mails: https://swath.example.org/u?a=1&b=2'))
  assert.ok(html.includes('as a member of Acme &amp; &lt;b&gt;.'))
  for (const part of [
    'name="viewport"',
    'name="color-scheme" content="light dark"',
    'prefers-color-scheme:dark',
    'overflow-wrap:anywhere',
    'max-width:560px',
  ])
    // prettier-ignore
    assert.ok(html.includes(part), part)
})

test('an unsubscribe link is valid only unchanged and with its own secret', () => {
  const links = createUnsubscribeLinks([new Uint8Array(32).fill(1)], 'https://swath.example.org')
  const subject = { organization: 'o', user: 'u', kind: 'order.failed' }
  const token = new URL(links.urlOf(subject)).searchParams.get('token')!
  assert.deepEqual(links.read(token), subject)
  const other = createUnsubscribeLinks([new Uint8Array(32).fill(2)], 'https://swath.example.org')
  for (const invalid of ['', '~~~', token.replace('order.failed', 'alert'), `${token}x`, `${token}~x`])
    assert.equal(links.read(invalid), null, invalid)
  assert.equal(other.read(token), null)
})
