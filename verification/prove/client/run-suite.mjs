// Starts the suite in a runtime of a terminal: run-suite.mjs <platform as JSON>. Prints its result as JSON.
import process from 'node:process'
import { runSuite } from './suite.mjs'

const result = await runSuite(JSON.parse(process.argv.at(-1)))
console.log(JSON.stringify(result))
