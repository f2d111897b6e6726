// One process and one database for all tests, since opening the database takes longer than the queries.
import './standard-tests.ts'
import './own-filters-tests.ts'
import './geometry-tests.ts'
import './random-tests.ts'
