import assert from 'node:assert/strict'
import { test } from 'node:test'
import { defineService, ServiceContainer, provideService } from './process-services.ts'

test('a service is found by its key, also beside another key of the same name', () => {
  const [first, second] = [defineService<number>('cache'), defineService<number>('cache')]
  const services = new ServiceContainer([provideService(first, 0), provideService(second, 2)])
  assert.deepEqual([services.get(first), services.get(second)], [0, 2])
})

test('a key without a service is an error that names it', () => {
  assert.throws(() => new ServiceContainer([]).get(defineService<number>('cache')), /no service "cache"/)
})
