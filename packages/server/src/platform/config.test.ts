import assert from 'node:assert/strict'
import { test } from 'node:test'
import { isBehindProxy, ConfigError, readConfig, readServerConfig, listConfiguredSecrets } from './config.ts'
import { settings } from './settings.ts'

const configErrors = (environment: Record<string, string>, read = readConfig): readonly string[] => {
  try {
    read(environment)
  } catch (error) {
    assert.ok(error instanceof ConfigError)
    return error.errors
  }
  return []
}

test('an empty environment gives a configuration for local use', () => {
  const config = readConfig({})
  assert.equal(config.data_dir, '.data')
  assert.equal(config.port, 8080)
  assert.equal(config.host, '127.0.0.1')
  assert.equal(config.base_url, null)
  assert.equal(config.database_url, null)
  assert.equal(config.storage, null)
  assert.equal(config.demo, true)
  assert.equal(config.trust_proxy, false)
  assert.equal(config.rate_sign_ins, 60)
  assert.equal(config.body_limit_bytes, 10 * 1024 * 1024)
  assert.deepEqual(config.outside_allow, [])
})

test('every setting is read from its environment variable, and an empty value counts as unset', () => {
  const config = readConfig({
    PORT: '0',
    BASE_URL: 'https://Imagery.example/swath/',
    STORAGE_URL: 's3://scenes/a/b/',
    AWS_REGION: 'eu-west-1',
    TRUST_PROXY: '10.0.0.0/8, ::1',
    LOG_LEVEL: 'WARN',
    SWATH_DEMO: 'off',
    DATABASE_URL: 'postgres://me:p%40ss@db.example:5432/swath',
    OUTSIDE_ALLOW: 'http://127.0.0.1:9000, https://cogs.example',
    CONSOLE_REDIRECT_URIS: 'http://localhost:5173/auth/callback, http://127.0.0.1/cb, https://dev.example/cb?x=1',
    HOST: '',
  })
  assert.equal(config.port, 0)
  assert.equal(config.base_url, 'https://imagery.example/swath')
  assert.deepEqual(config.storage, { bucket: 'scenes', prefix: 'a/b' })
  assert.deepEqual(config.trust_proxy, ['10.0.0.0/8', '::1'])
  assert.equal(config.log_level, 'warn')
  assert.equal(config.demo, false)
  assert.equal(config.database_url, 'postgres://me:p%40ss@db.example:5432/swath')
  assert.deepEqual(config.outside_allow, ['http://127.0.0.1:9000', 'https://cogs.example'])
  assert.deepEqual(config.console_redirect_uris, [
    'http://localhost:5173/auth/callback',
    'http://127.0.0.1/cb',
    'https://dev.example/cb?x=1',
  ])
  assert.equal(config.host, '127.0.0.1')
  assert.equal(readConfig({ TRUST_PROXY: '2' }).trust_proxy, 2)
  assert.equal(readConfig({ TRUST_PROXY: 'true' }).trust_proxy, true)
})

test('redirect URIs are secure, normalized URLs without fragment', () => {
  const invalid = {
    'http://dev.example/cb': /https URLs, or http URLs of a loopback address/,
    'http://localhost:5173': /must contain "http:\/\/localhost:5173\/" instead/,
    'https://Dev.example/cb': /must contain "https:\/\/dev\.example\/cb" instead/,
    'https://dev.example/a/../cb': /instead of/,
    'https://dev.example/cb#x': /without user or fragment/,
    'https://a@dev.example/cb': /without user or fragment/,
    'javascript:alert(1)': /must be a URL/,
    '/auth/callback': /must be a URL/,
  }
  for (const [uri, message] of Object.entries(invalid)) {
    const [error = ''] = configErrors({ CONSOLE_REDIRECT_URIS: uri })
    assert.match(error, /^CONSOLE_REDIRECT_URIS /)
    assert.match(error, message)
  }
})

test('all errors are reported together, without the value of any secret', () => {
  const errors = configErrors({
    PORT: '70000',
    SWATH_DEMO: 'maybe',
    STORAGE_URL: 'gs://bucket',
    SWATH_ADMIN_PASSWORD: 'hunter2',
    DATABASE_URL: 'mysql://root:hunter2@db',
    BASE_URL: 'https://imagery.example/?x=1',
    LOG_LEVEL: 'loud',
    SWATH_ADMIN_EMAIL: 'nobody',
    OUTSIDE_ALLOW: 'http://127.0.0.1:9000/path',
    TRUST_PROXY: 'friends',
    AWS_ACCESS_KEY_ID: 'AKIAEXAMPLE',
  })
  assert.equal(errors.length, 11)
  assert.ok(errors.includes('PORT must be an integer from 0 to 65535'))
  assert.ok(errors.includes('SWATH_DEMO must be on or off'))
  assert.ok(
    errors.some((fault) => fault.startsWith('AWS_ACCESS_KEY_ID and AWS_SECRET_ACCESS_KEY must be set together')),
  )
  assert.ok(!errors.join('\n').includes('hunter2'))
})

test('DATABASE_MIGRATION_URL requires DATABASE_URL', () => {
  const url = 'postgres://owner@db.example/swath'
  assert.equal(configErrors({ DATABASE_MIGRATION_URL: url }).length, 1)
  assert.equal(readConfig({ DATABASE_URL: url, DATABASE_MIGRATION_URL: url }).database_migration_url, url)
})

test('an integer setting accepts only decimal digits', () => {
  for (const text of ['1e3', '0x50', '-1', '8080.5', '８０８０', 'NaN']) {
    assert.deepEqual(configErrors({ PORT: text }), ['PORT must be an integer from 0 to 65535'], text)
  }
})

test('a per-plan number is one value for all plans or one per plan; unnamed plans take the first value', () => {
  const callRates = (text: string): object => readConfig({ RATE_LIMIT_CALLS: text }).rate_calls
  assert.deepEqual(callRates(''), { free: 600, prepaid: 600, enterprise: 600, internal: 600 })
  assert.deepEqual(callRates('free: 5, enterprise:0'), { free: 5, prepaid: 5, enterprise: 0, internal: 5 })
  for (const text of ['many', 'gold:5', 'free:', '-1', ','])
    assert.throws(() => callRates(text), /RATE_LIMIT_CALLS must/)
})

test('a bucket on AWS requires a region; one behind an endpoint does not', () => {
  assert.equal(configErrors({ STORAGE_URL: 's3://scenes' }).length, 1)
  assert.deepEqual(configErrors({ STORAGE_URL: 's3://scenes', AWS_ENDPOINT_URL: 'http://127.0.0.1:9000' }), [])
})

test('every setting has a unique name, a valid default and a description that is a sentence', () => {
  const rows = Object.values(settings)
  assert.equal(new Set(rows.map((row) => row.name)).size, rows.length)
  for (const row of rows) {
    assert.doesNotThrow(() => row.kind.parse(row.fallback), row.name)
    assert.match(row.description, /\.$/, row.name)
    assert.match(row.name, /^[A-Z][A-Z0-9_]+$/)
  }
})

test('listConfiguredSecrets returns every secret, including the password inside a URL', () => {
  const config = readConfig({ SWATH_ADMIN_PASSWORD: 'long enough', DATABASE_URL: 'postgres://me:p%40ss@db/swath' })
  const secrets = listConfiguredSecrets(config)
  assert.ok(secrets.includes('long enough'))
  assert.ok(secrets.includes('p@ss'))
  assert.ok(secrets.includes('p%40ss'))
})

test('SELLER_ABN is validated by its checksum, and SELLER_ADDRESS is split into lines', () => {
  const { seller_abn, seller_address } = readConfig({
    SELLER_ABN: '51 824 753 556',
    SELLER_ADDRESS: '1 Test Street; Melbourne VIC 3000;',
  })
  assert.equal(seller_abn, '51824753556')
  assert.deepEqual(seller_address, ['1 Test Street', 'Melbourne VIC 3000'])
  assert.deepEqual(readConfig({}).seller_address, [])
  for (const SELLER_ABN of ['51824753557', '5182475355', 'ABN 51824753556', '518247535560']) {
    assert.deepEqual(configErrors({ SELLER_ABN }), ['SELLER_ABN must be a valid number of eleven digits'])
  }
})

const startErrorSettings = (environment: Record<string, string>): string =>
  configErrors(environment, readServerConfig)
    .map((fault) => fault.split(' ')[0])
    .join(' ')

type SettingValues = Record<string, string>

const database: SettingValues = { DATABASE_URL: 'postgres://db.example/swath', BASE_URL: 'http://localhost:8080' }
const publicSettings: readonly SettingValues[] = [
  { BASE_URL: 'https://swath.example' },
  { HOST: '0.0.0.0' },
  { HOST: '::' },
]

test('a shared server requires a Stripe key or SWATH_PLAY_MONEY', () => {
  assert.equal(startErrorSettings({}), '')
  assert.equal(startErrorSettings({ BASE_URL: 'http://[::1]:8080', HOST: 'localhost' }), '')
  for (const environment of [database, ...publicSettings]) {
    assert.equal(startErrorSettings(environment), 'STRIPE_SECRET_KEY')
    assert.equal(startErrorSettings({ ...environment, SWATH_PLAY_MONEY: 'on' }), '')
    assert.equal(startErrorSettings({ ...environment, STRIPE_SECRET_KEY: 'sk_live_x' }), '')
    assert.equal(startErrorSettings({ ...environment, STRIPE_SECRET_KEY: 'rk_live_x' }), '')
  }
})

test('a public server rejects a Stripe test key without SWATH_PLAY_MONEY', () => {
  const testKey = { STRIPE_SECRET_KEY: 'sk_test_x' }
  for (const environment of publicSettings) {
    assert.equal(startErrorSettings({ ...environment, ...testKey }), 'STRIPE_SECRET_KEY')
    assert.equal(startErrorSettings({ ...environment, ...testKey, SWATH_PLAY_MONEY: 'on' }), '')
  }
  assert.equal(startErrorSettings({ ...database, ...testKey }), '')
  assert.equal(startErrorSettings(testKey), '')
})

test('the demo is off by default on a shared server', () => {
  for (const environment of [database, ...publicSettings]) {
    assert.equal(readConfig(environment).demo, false)
    assert.equal(readConfig({ ...environment, SWATH_DEMO: 'on' }).demo, true)
  }
})

test('BASE_URL is required with DATABASE_URL and with TRUST_PROXY', () => {
  const playMoney = { SWATH_PLAY_MONEY: 'on' }
  assert.equal(startErrorSettings({ ...playMoney, DATABASE_URL: database['DATABASE_URL']! }), 'BASE_URL')
  for (const TRUST_PROXY of ['on', '1', '10.0.0.0/8'])
    assert.equal(startErrorSettings({ ...playMoney, TRUST_PROXY }), 'BASE_URL')
  assert.equal(startErrorSettings({ TRUST_PROXY: 'on', BASE_URL: 'http://localhost' }), '')
})

test('HSTS_MAX_AGE_S requires an https URL as BASE_URL', () => {
  const read = (BASE_URL: string) => () => readConfig({ HSTS_MAX_AGE_S: '60', BASE_URL })
  for (const url of ['', 'http://swath.example'])
    assert.throws(read(url), /HSTS_MAX_AGE_S is valid only with an https URL/)
  assert.equal(read('https://swath.example')().hsts_max_age_s, 60)
})

test('only a server without a proxy and without another name trusts programs on its machine', () => {
  const rows: readonly (readonly [Record<string, string>, boolean])[] = [
    [{}, false],
    [{ BASE_URL: 'http://localhost:8080' }, false],
    [{ BASE_URL: 'http://localhost:8080', TRUST_PROXY: '1' }, true],
    [{ BASE_URL: 'https://swath.example' }, true],
  ]
  for (const [environment, expected] of rows)
    assert.equal(isBehindProxy(readConfig(environment)), expected, JSON.stringify(environment))
})

test('a role other than all requires DATABASE_URL', () => {
  assert.equal(startErrorSettings({ SWATH_ROLE: 'serve' }), 'SWATH_ROLE')
  assert.equal(startErrorSettings({ ...database, SWATH_PLAY_MONEY: 'on', SWATH_ROLE: 'work' }), '')
})
