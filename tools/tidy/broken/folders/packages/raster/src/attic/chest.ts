import '../io/range.ts'
