export * from './one.ts'
