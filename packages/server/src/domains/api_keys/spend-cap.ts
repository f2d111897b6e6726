export { findKeySpendCap as findSpendCap } from './store.ts'
