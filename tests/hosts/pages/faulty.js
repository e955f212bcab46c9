console.warn('a warning');
console.error('an error');
console.info('nothing to worry about');
throw new Error('not caught');
