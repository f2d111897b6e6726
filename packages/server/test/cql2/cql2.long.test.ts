// One process and one database for all of them, since opening it takes longer than asking.
import './standard-tests.ts'
import './own-rows-tests.ts'
import './shape-tests.ts'
import './random-tests.ts'
