import assert from 'node:assert/strict'
import { createHash } from 'node:crypto'
import { test } from 'node:test'
import { createFormPageHeaders, renderHtmlFormPage, type HtmlFormPage } from './form-page.ts'

const form: NonNullable<HtmlFormPage['form']> = {
  query: 'a=1&b="><b>',
  hidden: { token: '"><script>' },
  fields: [
    { name: 'email', label: 'E-<i>mail', type: 'email', autocomplete: 'username', value: '"x' },
    {
      name: 'password',
      label: 'Password',
      type: 'password',
      autocomplete: 'current-password',
      value: 'never',
      hint: 'A hint',
    },
  ],
  button: 'Go & sign in',
  error: null,
  redirect_uri: 'https://client.example/cb?x=1',
}
const page: HtmlFormPage = { title: 'A <title>', paragraphs: ['One & <two> in `<a> file`'], form }

const policyOf = (redirect_uri: string | null): string =>
  createFormPageHeaders({ ...page, form: { ...form, redirect_uri } })['content-security-policy']!

test('every text is escaped, and the value of a password field is never written', () => {
  const html = renderHtmlFormPage(page)
  for (const text of ['<script>', '<b>', '<i>', '<two>', 'never', '"x"']) assert.equal(html.includes(text), false, text)
  assert.match(html, /action="\?a=1&amp;b=&quot;&gt;&lt;b&gt;"/)
  assert.match(html, /<p>One &amp; &lt;two&gt; in <code>&lt;a&gt; file<\/code><\/p>/)
  assert.match(html, /<title>A &lt;title&gt; – Swath<\/title>/)
})

test('a field is described by its hint and by the error about it', () => {
  const withError = (field: string | null): string =>
    renderHtmlFormPage({ ...page, form: { ...form, error: { text: 'Wrong', field } } })
  assert.match(renderHtmlFormPage(page), /id="password"[^>]*aria-describedby="password-hint"/)
  assert.match(
    withError('password'),
    /id="password"[^>]*autofocus aria-invalid="true" aria-describedby="error password-hint"/,
  )
  assert.match(withError('password'), /<title>Error: A &lt;title&gt;/)
  assert.match(
    withError(null),
    /<form method="post"[^>]*aria-describedby="error"><p class="error" id="error" role="alert">Wrong/,
  )
  assert.doesNotMatch(withError(null), /aria-invalid=/)
})

test('the policy permits the inline style by its hash and no script', () => {
  const [, style = ''] = /<style>([^]*)<\/style>/.exec(renderHtmlFormPage(page)) ?? []
  const hash = createHash('sha256').update(style).digest('base64')
  assert.equal(
    policyOf(null),
    `default-src 'none'; style-src 'sha256-${hash}'; form-action 'self'; base-uri 'none'; frame-ancestors 'none'`,
  )
})

test('a form may be redirected to its client, of which an IPv6 address is named by its scheme', () => {
  assert.match(policyOf('https://client.example/cb?x=1'), /form-action 'self' https:\/\/client\.example;/)
  assert.match(policyOf('http://[::1]:8000/cb'), /form-action 'self' http:;/)
  assert.match(createFormPageHeaders({ ...page, form: null })['content-security-policy']!, /form-action 'none'/)
})
